//! The body of a request: a text of limited size, read in limited time.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt;

use super::fault::Fault;

/// Reads a text of at most this many bytes within this time.
pub(super) async fn text(headers: &HeaderMap, body: Body, most: usize, time: Duration) -> Result<String, Fault> {
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > most as u64) {
        return Err(too_large(most));
    }
    let read = tokio::time::timeout(time, read(body, most)).await;
    let late = || Fault::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time: send it faster");
    let bytes = read.map_err(|_| late())??;
    String::from_utf8(bytes).map_err(|_| Fault::input("the body is not a text: send UTF-8"))
}

async fn read(body: Body, most: usize) -> Result<Vec<u8>, Fault> {
    let (mut bytes, mut parts) = (Vec::new(), body.into_data_stream());
    while let Some(part) = parts.next().await {
        let part = part.map_err(|fault| Fault::input(format!("the body cannot be read: {fault}")))?;
        if bytes.len() + part.len() > most {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

fn too_large(most: usize) -> Fault {
    Fault::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is too large: send at most {most} bytes"))
}
