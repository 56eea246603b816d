//! Typed data: four sets of the kinds that the public comparisons of Rust's serialization crates use: the log of
//! a web server, a mesh of triangles, saved games, and a game's messages.
//!
//! Where strings are many, the types exist twice: owned, and borrowing (`…Ref`) from the bytes they are decoded
//! from. The names and the order of the fields are the same, so that both are the same to every format.
//!
//! Whoever includes this with the cfg `zerompk` gets the traits of that crate, too.

use super::Random;
use serde::{Deserialize, Serialize};
#[cfg(zerompk)]
use zerompk::{FromMessagePack, ToMessagePack};

/// How a set is made beyond single numbers.
impl Random {
    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    /// From `-reach` to `reach`.
    fn around(&mut self, reach: f64) -> f64 {
        (self.unit() * 2.0 - 1.0) * reach
    }

    fn float(&mut self, reach: f32) -> f32 {
        self.around(f64::from(reach)) as f32
    }

    fn angle(&mut self) -> i16 {
        self.next() as i16
    }

    fn id(&mut self) -> [u32; 4] {
        let (high, low) = (self.next(), self.next());
        [(high >> 32) as u32, high as u32, (low >> 32) as u32, low as u32]
    }

    /// `Some` once in two times.
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
        self.chance(2).then(|| make(self))
    }

    /// From 0 up to, not including, `end` items.
    fn list<T>(&mut self, end: u64, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
        (0..self.below(end)).map(|_| make(self)).collect()
    }
}

// The log of a web server.

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Logs {
    pub(crate) logs: Vec<Log>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Log {
    pub(crate) address: Address,
    pub(crate) identity: String,
    pub(crate) userid: String,
    pub(crate) date: String,
    pub(crate) request: String,
    pub(crate) code: u16,
    pub(crate) size: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Address {
    pub(crate) a: u8,
    pub(crate) b: u8,
    pub(crate) c: u8,
    pub(crate) d: u8,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct LogsRef<'a> {
    #[serde(borrow)]
    pub(crate) logs: Vec<LogRef<'a>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct LogRef<'a> {
    pub(crate) address: Address,
    pub(crate) identity: &'a str,
    pub(crate) userid: &'a str,
    pub(crate) date: &'a str,
    pub(crate) request: &'a str,
    pub(crate) code: u16,
    pub(crate) size: u64,
}

const USERS: [&str; 12] =
    ["-", "-", "-", "-", "ada", "grace", "edsger", "barbara", "donald", "hypatia", "sophie", "alonzo"];

const PLACES: [&str; 12] = [
    "/",
    "/about/",
    "/cart/",
    "/img/thumb/",
    "/login?from=",
    "/css/site.css?v=",
    "/api/v2/items/",
    "/news/archive/",
    "/search?q=",
    "/static/app.js?v=",
    "/feed.xml?since=",
    "/users/",
];

/// One request, `at` seconds after the first of October 2025; after the month's end it begins again.
fn log(random: &mut Random, at: u64) -> Log {
    let address = Address {
        a: random.next() as u8,
        b: random.next() as u8,
        c: random.next() as u8,
        d: random.next() as u8,
    };
    let identity = "-".to_owned();
    let userid = random.pick(&USERS).to_owned();
    let date = format!(
        "{:02}/Oct/2025:{:02}:{:02}:{:02} +0000",
        1 + at / 86_400 % 31,
        at / 3600 % 24,
        at / 60 % 60,
        at % 60
    );
    let method = random.pick(&["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT"]);
    let place = random.pick(&PLACES);
    let number = if random.chance(4) { String::new() } else { random.below(1_000_000).to_string() };
    let version = random.pick(&["HTTP/1.0", "HTTP/1.1", "HTTP/1.1", "HTTP/2"]);
    let code = match random.below(16) {
        0 => 301,
        1 => 304,
        2 => 403,
        3 | 4 => 404,
        5 => 500,
        _ => 200,
    };
    let size = if code == 304 { 0 } else { random.below(1 << 17) };
    Log {
        address,
        identity,
        userid,
        date,
        request: format!("{method} {place}{number} {version}"),
        code,
        size,
    }
}

/// 10,000 lines of a web server's log, in the order of time.
pub(crate) fn logs() -> Logs {
    first_logs(10_000)
}

/// The first lines of it; there are more than those 10,000.
pub(crate) fn first_logs(lines: usize) -> Logs {
    let mut random = Random::new(11);
    let mut at = 0;
    let mut next = || {
        at += random.below(400);
        log(&mut random, at)
    };
    Logs { logs: (0..lines).map(|_| next()).collect() }
}

// A mesh.

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Mesh {
    pub(crate) triangles: Vec<Triangle>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Triangle {
    pub(crate) v0: Point,
    pub(crate) v1: Point,
    pub(crate) v2: Point,
    pub(crate) normal: Point,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Point {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
}

fn point(random: &mut Random) -> Point {
    Point { x: random.float(1.0), y: random.float(1.0), z: random.float(1.0) }
}

/// 125,000 triangles of random points.
pub(crate) fn mesh() -> Mesh {
    let mut random = Random::new(12);
    let mut next = || [point(&mut random), point(&mut random), point(&mut random), point(&mut random)];
    let triangles = (0..125_000).map(|_| {
        let [v0, v1, v2, normal] = next();
        Triangle { v0, v1, v2, normal }
    });
    Mesh { triangles: triangles.collect() }
}

// Saved games.

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Save {
    pub(crate) players: Vec<Player>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Player {
    pub(crate) mode: Mode,
    pub(crate) previous_mode: Mode,
    pub(crate) score: i64,
    pub(crate) dimension: String,
    pub(crate) selected_slot: u32,
    pub(crate) selected_item: Item,
    pub(crate) spawn: Option<Spawn>,
    pub(crate) sleep_ticks: u16,
    pub(crate) food_exhaustion: f32,
    pub(crate) food_saturation: f32,
    pub(crate) food_ticks: u32,
    pub(crate) experience_level: u32,
    pub(crate) experience_progress: f32,
    pub(crate) experience_total: i32,
    pub(crate) experience_seed: i32,
    pub(crate) inventory: Vec<Item>,
    pub(crate) chest: Vec<Item>,
    pub(crate) abilities: Abilities,
    pub(crate) portal: Option<(f64, f64, f64)>,
    pub(crate) vehicle: Option<Entity>,
    pub(crate) left_shoulder: Option<Entity>,
    pub(crate) right_shoulder: Option<Entity>,
    pub(crate) seen_credits: bool,
    pub(crate) recipes: RecipeBook,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) enum Mode {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Item {
    pub(crate) count: i8,
    pub(crate) slot: u8,
    pub(crate) id: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Spawn {
    pub(crate) dimension: String,
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) z: i64,
    pub(crate) forced: Option<bool>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Abilities {
    pub(crate) walk_speed: f32,
    pub(crate) fly_speed: f32,
    pub(crate) may_fly: bool,
    pub(crate) flying: bool,
    pub(crate) invulnerable: bool,
    pub(crate) may_build: bool,
    pub(crate) instant_build: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Entity {
    pub(crate) kind: String,
    pub(crate) uuid: [u32; 4],
    pub(crate) position: (f64, f64, f64),
    pub(crate) motion: (f64, f64, f64),
    pub(crate) rotation: (f32, f32),
    pub(crate) fall_distance: f32,
    pub(crate) fire_ticks: u16,
    pub(crate) air_ticks: u16,
    pub(crate) portal_cooldown: i32,
    pub(crate) on_ground: bool,
    pub(crate) no_gravity: bool,
    pub(crate) silent: bool,
    pub(crate) glowing: bool,
    pub(crate) custom_name: Option<String>,
    pub(crate) passengers: Vec<Entity>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct RecipeBook {
    pub(crate) known: Vec<String>,
    pub(crate) new: Vec<String>,
    pub(crate) filtering: bool,
    pub(crate) open: bool,
    pub(crate) furnace_filtering: bool,
    pub(crate) furnace_open: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct SaveRef<'a> {
    #[serde(borrow)]
    pub(crate) players: Vec<PlayerRef<'a>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct PlayerRef<'a> {
    pub(crate) mode: Mode,
    pub(crate) previous_mode: Mode,
    pub(crate) score: i64,
    pub(crate) dimension: &'a str,
    pub(crate) selected_slot: u32,
    #[serde(borrow)]
    pub(crate) selected_item: ItemRef<'a>,
    #[serde(borrow)]
    pub(crate) spawn: Option<SpawnRef<'a>>,
    pub(crate) sleep_ticks: u16,
    pub(crate) food_exhaustion: f32,
    pub(crate) food_saturation: f32,
    pub(crate) food_ticks: u32,
    pub(crate) experience_level: u32,
    pub(crate) experience_progress: f32,
    pub(crate) experience_total: i32,
    pub(crate) experience_seed: i32,
    #[serde(borrow)]
    pub(crate) inventory: Vec<ItemRef<'a>>,
    #[serde(borrow)]
    pub(crate) chest: Vec<ItemRef<'a>>,
    pub(crate) abilities: Abilities,
    pub(crate) portal: Option<(f64, f64, f64)>,
    #[serde(borrow)]
    pub(crate) vehicle: Option<EntityRef<'a>>,
    #[serde(borrow)]
    pub(crate) left_shoulder: Option<EntityRef<'a>>,
    #[serde(borrow)]
    pub(crate) right_shoulder: Option<EntityRef<'a>>,
    pub(crate) seen_credits: bool,
    #[serde(borrow)]
    pub(crate) recipes: RecipeBookRef<'a>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct ItemRef<'a> {
    pub(crate) count: i8,
    pub(crate) slot: u8,
    pub(crate) id: &'a str,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct SpawnRef<'a> {
    pub(crate) dimension: &'a str,
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) z: i64,
    pub(crate) forced: Option<bool>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct EntityRef<'a> {
    pub(crate) kind: &'a str,
    pub(crate) uuid: [u32; 4],
    pub(crate) position: (f64, f64, f64),
    pub(crate) motion: (f64, f64, f64),
    pub(crate) rotation: (f32, f32),
    pub(crate) fall_distance: f32,
    pub(crate) fire_ticks: u16,
    pub(crate) air_ticks: u16,
    pub(crate) portal_cooldown: i32,
    pub(crate) on_ground: bool,
    pub(crate) no_gravity: bool,
    pub(crate) silent: bool,
    pub(crate) glowing: bool,
    #[serde(borrow)]
    pub(crate) custom_name: Option<&'a str>,
    #[serde(borrow)]
    pub(crate) passengers: Vec<EntityRef<'a>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct RecipeBookRef<'a> {
    #[serde(borrow)]
    pub(crate) known: Vec<&'a str>,
    #[serde(borrow)]
    pub(crate) new: Vec<&'a str>,
    pub(crate) filtering: bool,
    pub(crate) open: bool,
    pub(crate) furnace_filtering: bool,
    pub(crate) furnace_open: bool,
}

const DIMENSIONS: [&str; 3] = ["overworld", "nether", "end"];

const ITEMS: [&str; 20] = [
    "dirt",
    "stone",
    "oak_log",
    "sand",
    "gravel",
    "torch",
    "bread",
    "iron_axe",
    "bow",
    "arrow",
    "bucket",
    "coal",
    "iron_ingot",
    "redstone",
    "ladder",
    "chest",
    "shield",
    "compass",
    "clock",
    "apple",
];

const RECIPES: [&str; 16] = [
    "stick",
    "torch",
    "oak_planks",
    "furnace",
    "chest",
    "ladder",
    "bread",
    "shears",
    "shield",
    "iron_pickaxe",
    "crafting_table",
    "bow",
    "arrow",
    "rail",
    "boat",
    "tnt",
];

const KINDS: [&str; 10] =
    ["boat", "minecart", "pig", "horse", "parrot", "llama", "strider", "camel", "donkey", "cat"];

const NAMES: [&str; 8] = ["Rex", "Luna", "Biscuit", "Captain", "Old Tom", "Maple", "Ghost", "Pebble"];

fn mode(random: &mut Random) -> Mode {
    match random.below(4) {
        0 => Mode::Survival,
        1 => Mode::Creative,
        2 => Mode::Adventure,
        _ => Mode::Spectator,
    }
}

fn item(random: &mut Random) -> Item {
    Item {
        count: 1 + random.below(64) as i8,
        slot: random.below(36) as u8,
        id: random.pick(&ITEMS).to_owned(),
    }
}

/// An entity that up to two may sit on, and as many on each of these.
fn entity(random: &mut Random, levels: u32) -> Entity {
    let place =
        |random: &mut Random, reach| (random.around(reach), random.around(reach), random.around(reach));
    Entity {
        kind: random.pick(&KINDS).to_owned(),
        uuid: random.id(),
        position: place(random, 30_000.0),
        motion: place(random, 1.0),
        rotation: (random.float(180.0), random.float(90.0)),
        fall_distance: random.float(8.0),
        fire_ticks: random.below(300) as u16,
        air_ticks: random.below(300) as u16,
        portal_cooldown: random.below(1000) as i32 - 500,
        on_ground: random.chance(2),
        no_gravity: random.chance(2),
        silent: random.chance(2),
        glowing: random.chance(2),
        custom_name: random.maybe(|random| random.pick(&NAMES).to_owned()),
        passengers: match levels {
            0 => Vec::new(),
            levels => random.list(3, |random| entity(random, levels - 1)),
        },
    }
}

fn player(random: &mut Random) -> Player {
    let spawn = |random: &mut Random| Spawn {
        dimension: random.pick(&DIMENSIONS).to_owned(),
        x: random.below(60_000) as i64 - 30_000,
        y: random.below(320) as i64 - 64,
        z: random.below(60_000) as i64 - 30_000,
        forced: random.maybe(|random| random.chance(2)),
    };
    let abilities = |random: &mut Random| Abilities {
        walk_speed: random.float(1.0),
        fly_speed: random.float(1.0),
        may_fly: random.chance(2),
        flying: random.chance(2),
        invulnerable: random.chance(2),
        may_build: random.chance(2),
        instant_build: random.chance(2),
    };
    let recipe = |random: &mut Random| random.pick(&RECIPES).to_owned();
    Player {
        mode: mode(random),
        previous_mode: mode(random),
        score: (random.next() >> 20) as i64,
        dimension: random.pick(&DIMENSIONS).to_owned(),
        selected_slot: random.below(36) as u32,
        selected_item: item(random),
        spawn: random.maybe(spawn),
        sleep_ticks: random.below(100) as u16,
        food_exhaustion: random.float(4.0),
        food_saturation: random.float(20.0),
        food_ticks: random.below(80) as u32,
        experience_level: random.below(1000) as u32,
        experience_progress: random.unit() as f32,
        experience_total: random.below(1_000_000) as i32,
        experience_seed: random.next() as i32,
        inventory: random.list(40, item),
        chest: random.list(30, item),
        abilities: abilities(random),
        portal: random.maybe(|random| (random.around(3e4), random.around(3e4), random.around(3e4))),
        vehicle: if random.chance(4) { Some(entity(random, 2)) } else { None },
        left_shoulder: if random.chance(4) { Some(entity(random, 0)) } else { None },
        right_shoulder: if random.chance(4) { Some(entity(random, 0)) } else { None },
        seen_credits: random.chance(2),
        recipes: RecipeBook {
            known: random.list(34, recipe),
            new: random.list(24, recipe),
            filtering: random.chance(2),
            open: random.chance(2),
            furnace_filtering: random.chance(2),
            furnace_open: random.chance(2),
        },
    }
}

/// 500 players with all that they carry.
pub(crate) fn save() -> Save {
    let mut random = Random::new(13);
    Save { players: (0..500).map(|_| player(&mut random)).collect() }
}

// A game's messages.

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Updates {
    pub(crate) updates: Vec<Update>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Update {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) score: u32,
    pub(crate) world_radius: f32,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Contact {
    pub(crate) damage: u8,
    pub(crate) entity_id: u32,
    pub(crate) entity_kind: Option<EntityKind>,
    pub(crate) guidance: Guidance,
    pub(crate) player_id: Option<u16>,
    pub(crate) reloads: Vec<bool>,
    pub(crate) transform: Transform,
    pub(crate) turret_angles: Vec<i16>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) enum EntityKind {
    Barrel,
    Buoy,
    Coin,
    Crate,
    Cruiser,
    Destroyer,
    Ferry,
    Lighthouse,
    Mine,
    Missile,
    Rig,
    Shell,
    Submarine,
    Torpedo,
    Tug,
    Whale,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Guidance {
    pub(crate) heading_target: i16,
    pub(crate) speed_target: i16,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(zerompk, derive(ToMessagePack, FromMessagePack))]
pub(crate) struct Transform {
    pub(crate) altitude: i8,
    pub(crate) heading: i16,
    pub(crate) position: (f32, f32),
    pub(crate) speed: i16,
}

fn entity_kind(random: &mut Random) -> EntityKind {
    use EntityKind::*;
    const ALL: [EntityKind; 16] = [
        Barrel, Buoy, Coin, Crate, Cruiser, Destroyer, Ferry, Lighthouse, Mine, Missile, Rig, Shell,
        Submarine, Torpedo, Tug, Whale,
    ];
    ALL[random.below(16) as usize]
}

fn contact(random: &mut Random) -> Contact {
    let speed = |random: &mut Random| random.below(4000) as i16 - 1000;
    Contact {
        damage: random.next() as u8,
        entity_id: 1 + (random.next() >> 33) as u32,
        entity_kind: random.maybe(entity_kind),
        guidance: Guidance { heading_target: random.angle(), speed_target: speed(random) },
        player_id: random.maybe(|random| random.next() as u16),
        reloads: random.list(16, |random| random.chance(2)),
        transform: Transform {
            altitude: random.next() as i8,
            heading: random.angle(),
            position: (random.float(2000.0), random.float(2000.0)),
            speed: speed(random),
        },
        turret_angles: random.list(8, Random::angle),
    }
}

/// 1,000 messages to a player about what is in sight.
pub(crate) fn updates() -> Updates {
    let mut random = Random::new(14);
    let mut next = || Update {
        contacts: random.list(60, contact),
        score: random.below(100_000) as u32,
        world_radius: 500.0 + random.float(400.0),
    };
    Updates { updates: (0..1000).map(|_| next()).collect() }
}
