//! Nodes: the hierarchy and its rest pose.

use super::fault;
use crate::error::Result;
use serde_json::Value;
use sinew::humanoid::{Quat, Vec3};

/// More nodes are no character.
const MAX_NODES: usize = 100_000;

/// A node's place relative to its parent. Scales are kept apart from rotations; shears are not read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub name: String,
    pub children: Vec<usize>,
    pub at: Vec3,
    pub turn: Quat,
    pub scale: Vec3,
}

/// A node's place in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    pub at: Vec3,
    pub turn: Quat,
    pub scale: Vec3,
}

impl Placed {
    /// A place below this one.
    pub fn below(&self, at: Vec3, turn: Quat, scale: Vec3) -> Placed {
        let times = |a: Vec3, b: Vec3| Vec3::new(a.x * b.x, a.y * b.y, a.z * b.z);
        Placed {
            at: self.at + self.turn.rotate(times(self.scale, at)),
            // Long chains of products drift off unit length.
            turn: (self.turn * turn).normalized().unwrap_or(self.turn),
            scale: times(self.scale, scale),
        }
    }

    /// Where everything begins.
    pub const WORLD: Placed =
        Placed { at: Vec3::ZERO, turn: Quat::IDENTITY, scale: Vec3::new(1.0, 1.0, 1.0) };
}

/// All nodes of a file: a forest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Nodes {
    pub list: Vec<Node>,
    pub parents: Vec<Option<usize>>,
    /// The nodes with parents before children.
    pub order: Vec<usize>,
    /// The rest pose.
    pub rest: Vec<Placed>,
}

impl Nodes {
    /// # Errors
    /// [`Error::Format`](crate::Error::Format) that names the node.
    pub fn of(value: &Value) -> Result<Nodes> {
        let list = nodes_of(value)?;
        let parents = parents_of(&list)?;
        let order = order_of(&list, &parents)?;
        let mut rest = vec![Placed::WORLD; list.len()];
        for &node in &order {
            let above = parents[node].map_or(Placed::WORLD, |parent| rest[parent]);
            let own = &list[node];
            rest[node] = above.below(own.at, own.turn, own.scale);
        }
        Ok(Nodes { list, parents, order, rest })
    }

    /// Marks these nodes and all above them up to roots.
    pub fn with_ancestors(&self, nodes: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut marked = vec![false; self.list.len()];
        for node in nodes {
            let mut at = Some(node);
            // What is above a marked node is marked already.
            while let Some(node) = at.filter(|&node| !std::mem::replace(&mut marked[node], true)) {
                at = self.parents[node];
            }
        }
        marked
    }
}

fn nodes_of(value: &Value) -> Result<Vec<Node>> {
    let nodes = value.get("nodes").and_then(Value::as_array).ok_or_else(|| fault("it has no nodes"))?;
    if nodes.len() > MAX_NODES {
        return Err(fault(format!("{} nodes; at most {MAX_NODES} are read", nodes.len())));
    }
    nodes.iter().enumerate().map(|(number, node)| node_of(number, node)).collect()
}

fn node_of(number: usize, node: &Value) -> Result<Node> {
    let of = |key: &str| node.get(key).and_then(Value::as_array);
    let numbers = |key: &str, count: usize| -> Result<Option<Vec<f64>>> {
        let Some(found) = of(key) else { return Ok(None) };
        let found: Vec<f64> = found.iter().filter_map(Value::as_f64).filter(|x| x.is_finite()).collect();
        if found.len() == count {
            Ok(Some(found))
        } else {
            Err(fault(format!("node {number}: its {key} is not {count} numbers")))
        }
    };
    if of("matrix").is_some() {
        let m = numbers("matrix", 16)?.unwrap_or_default();
        let column = |at: usize| Vec3::new(m[at], m[at + 1], m[at + 2]);
        let [x, y, z] = [column(0), column(4), column(8)];
        let scale = Vec3::new(x.length(), y.length(), z.length());
        let axes = (x.normalized(), y.normalized(), z.normalized());
        let (Some(x), Some(y), Some(z)) = axes else {
            return Err(fault(format!("node {number}: its matrix is flat")));
        };
        return Ok(Node {
            name: name_of(number, node),
            children: children_of(number, node)?,
            at: column(12),
            turn: Quat::from_basis(x, y, z),
            scale,
        });
    }
    let vector = |key, other: f64| -> Result<Vec3> {
        Ok(numbers(key, 3)?.map_or(Vec3::new(other, other, other), |v| Vec3::new(v[0], v[1], v[2])))
    };
    let turn = match numbers("rotation", 4)? {
        None => Quat::IDENTITY,
        Some(q) => Quat::new(q[0], q[1], q[2], q[3])
            .normalized()
            .ok_or_else(|| fault(format!("node {number}: its rotation is none")))?,
    };
    Ok(Node {
        name: name_of(number, node),
        children: children_of(number, node)?,
        at: vector("translation", 0.0)?,
        turn,
        scale: vector("scale", 1.0)?,
    })
}

/// A node's name without what a skeleton file could not hold.
fn name_of(number: usize, node: &Value) -> String {
    let name = node.get("name").and_then(Value::as_str).unwrap_or_default().trim();
    let name: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '{' | '}')).collect();
    if name.trim().is_empty() { format!("node{number}") } else { name.trim().to_owned() }
}

fn children_of(number: usize, node: &Value) -> Result<Vec<usize>> {
    let Some(children) = node.get("children").and_then(Value::as_array) else { return Ok(Vec::new()) };
    let child = |value: &Value| value.as_u64().and_then(|child| usize::try_from(child).ok());
    children
        .iter()
        .map(|value| child(value).ok_or_else(|| fault(format!("node {number}: a child is no node's number"))))
        .collect()
}

fn parents_of(nodes: &[Node]) -> Result<Vec<Option<usize>>> {
    let mut parents = vec![None; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let slot = parents
                .get_mut(child)
                .ok_or_else(|| fault(format!("node {number}: there is no node {child}")))?;
            if slot.replace(number).is_some() {
                return Err(fault(format!("node {child} has two parents")));
            }
        }
    }
    Ok(parents)
}

/// The nodes, parents before children.
fn order_of(nodes: &[Node], parents: &[Option<usize>]) -> Result<Vec<usize>> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut to_do: Vec<usize> = (0..nodes.len()).rev().filter(|&node| parents[node].is_none()).collect();
    while let Some(node) = to_do.pop() {
        order.push(node);
        to_do.extend(nodes[node].children.iter().rev());
    }
    // A ring of nodes has no root.
    if order.len() == nodes.len() { Ok(order) } else { Err(fault("its nodes are in a ring")) }
}
