//! Properties of arguments and results, tried on inputs that chance makes.

mod arguments;
mod results;
mod texts;
