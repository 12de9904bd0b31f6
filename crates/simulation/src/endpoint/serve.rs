//! Connections. Each is a task of its own; all end with the task that accepts them.

use super::manner::Wire;
use super::service::Service;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

pub(super) async fn serve(listener: TcpListener, service: Arc<Service>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(connections.spawn(connection(stream, service.clone()))),
                // Out of file handles, most likely: some will be free again soon.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, service: Arc<Service>) {
    // A reply must not wait for the acknowledgement of the one before.
    let _ = stream.set_nodelay(true);
    let (wire, next) = Wire::new(stream);
    let answer = service_fn(move |request| {
        let (service, next) = (service.clone(), next.clone());
        async move { Ok::<_, Infallible>(service.answer(request, &next).await) }
    });
    // Errors here are clients that left and faults that were asked for.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(wire), answer).await;
}
