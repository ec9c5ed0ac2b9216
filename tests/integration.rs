//! One binary for all integration tests; one module a property.

mod bounds;
mod compatibility;
mod corruption;
mod hostile;
mod properties;
mod regression;
mod roundtrip;
mod seeking;
mod sizes;
mod world;
