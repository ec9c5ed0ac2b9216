//! One binary for all integration tests; one module a property.

mod accounts;
mod arithmetic;
mod bounds;
mod compatibility;
mod corruption;
mod hostile;
mod properties;
mod regression;
mod rotations;
mod roundtrip;
mod seeking;
mod sizes;
mod streaming;
mod world;
