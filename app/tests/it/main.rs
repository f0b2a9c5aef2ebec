//! What Tonne as a whole promises.

#![cfg(test)]

mod app;
mod browser;
mod command;
mod demo;
mod fuzz;
mod http;
mod postgres;
mod published_sample;
mod usecase;
mod web;
