//! The reference store and directory keep the contract.

#![cfg(test)]

mod contract;
