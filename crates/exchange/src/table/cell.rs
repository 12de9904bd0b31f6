//! One cell of an Arrow table as JSON.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{
    DataType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;
use arrow::util::display::array_value_to_string;
use serde_json::{Map, Value};

/// `None` where there is nothing, or what pandas writes for it: a number that is none.
pub(super) fn value(array: &dyn Array, at: usize) -> Result<Option<Value>, ArrowError> {
    if array.is_null(at) {
        return Ok(None);
    }
    macro_rules! number {
        ($kind:ty) => {
            array.as_primitive::<$kind>().value(at)
        };
    }
    Ok(match array.data_type() {
        DataType::Null => None,
        DataType::Boolean => Some(array.as_boolean().value(at).into()),
        DataType::Int8 => Some(number!(Int8Type).into()),
        DataType::Int16 => Some(number!(Int16Type).into()),
        DataType::Int32 => Some(number!(Int32Type).into()),
        DataType::Int64 => Some(number!(Int64Type).into()),
        DataType::UInt8 => Some(number!(UInt8Type).into()),
        DataType::UInt16 => Some(number!(UInt16Type).into()),
        DataType::UInt32 => Some(number!(UInt32Type).into()),
        DataType::UInt64 => Some(number!(UInt64Type).into()),
        DataType::Float16 => finite(number!(Float16Type).to_f64()),
        DataType::Float32 => finite(number!(Float32Type).into()),
        DataType::Float64 => finite(number!(Float64Type)),
        DataType::Utf8 => Some(array.as_string::<i32>().value(at).into()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(at).into()),
        DataType::Utf8View => Some(array.as_string_view().value(at).into()),
        DataType::List(_) => Some(list(array.as_list::<i32>().value(at).as_ref())?),
        DataType::LargeList(_) => Some(list(array.as_list::<i64>().value(at).as_ref())?),
        DataType::FixedSizeList(..) => Some(list(array.as_fixed_size_list().value(at).as_ref())?),
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let mut object = Map::new();
            for (field, column) in columns {
                if let Some(value) = value(column.as_ref(), at)? {
                    object.insert(field.name().clone(), value);
                }
            }
            Some(Value::Object(object))
        }
        DataType::Dictionary(..) => {
            let words = array.as_any_dictionary();
            value(words.values().as_ref(), words.normalized_keys()[at])?
        }
        // Dates, times, decimals: as people write them.
        _ => Some(array_value_to_string(array, at)?.into()),
    })
}

fn finite(number: f64) -> Option<Value> {
    serde_json::Number::from_f64(number).map(Value::Number)
}

/// In a list a place that is empty is still a place.
fn list(values: &dyn Array) -> Result<Value, ArrowError> {
    let all: Result<Vec<Value>, ArrowError> =
        (0..values.len()).map(|at| Ok(value(values, at)?.unwrap_or(Value::Null))).collect();
    Ok(Value::Array(all?))
}
