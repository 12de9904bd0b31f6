//! How many requests the endpoint can take. The client runs in the same process and takes its share of the cores, so
//! what is printed is a lower bound. The processor time of both together does not depend on what else the machine does.

use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use waterjar_simulation::raw::{RawClient, request};
use waterjar_simulation::{Clinician, Endpoint, EndpointSettings, Latency, simulated_cases};

const TINY: &str = "1. Angina (0.90)";

pub async fn run(lasts: Duration) -> std::io::Result<()> {
    println!(
        "{:<24} {:>11} {:>10} {:>8} {:>8} {:>11} {:>6}",
        "setting", "connections", "requests/s", "mean ms", "p99 ms", "CPU µs each", "errors"
    );
    let fixed = Latency::Fixed(Duration::from_millis(50));
    for (name, tiny, latency, connections) in [
        ("tiny reply, no latency", true, Latency::None, 64),
        ("tiny reply, 50 ms", true, fixed, 500),
        ("tiny reply, 50 ms", true, fixed, 1000),
        ("clinician, no latency", false, Latency::None, 64),
        ("clinician, 50 ms", false, fixed, 500),
    ] {
        let usual = EndpointSettings::default();
        let clinician = if tiny { Clinician::always(TINY) } else { usual.clinician.clone() };
        let endpoint = Endpoint::start(EndpointSettings { clinician, latency, ..usual }).await?;
        let measured = measure(endpoint.addr(), connections, lasts).await?;
        println!(
            "{name:<24} {connections:>11} {:>10.0} {:>8.2} {:>8.2} {:>11.1} {:>6}",
            measured.rate, measured.mean_ms, measured.p99_ms, measured.cpu_us, measured.errors
        );
        endpoint.shutdown().await;
    }
    Ok(())
}

struct Measured {
    rate: f64,
    mean_ms: f64,
    p99_ms: f64,
    /// Of server and client together; zero where the system does not tell.
    cpu_us: f64,
    errors: usize,
}

async fn measure(addr: SocketAddr, connections: usize, lasts: Duration) -> std::io::Result<Measured> {
    let requests: Vec<Vec<u8>> = simulated_cases(200).iter().map(|case| question(&case.text)).collect();
    let mut clients = Vec::new();
    for _ in 0..connections {
        clients.push(RawClient::connect(addr).await?);
    }
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let mut tasks = JoinSet::new();
    for (number, mut client) in clients.into_iter().enumerate() {
        let requests = requests.clone();
        tasks.spawn(async move {
            let (mut times, mut errors) = (Vec::new(), 0);
            for question in requests.iter().cycle().skip(number) {
                if started.elapsed() >= lasts {
                    break;
                }
                let asked = Instant::now();
                match client.send(question).await {
                    Ok(reply) if reply.status == 200 => times.push(asked.elapsed()),
                    _ => errors += 1,
                }
            }
            (times, errors)
        });
    }
    let (mut times, mut errors) = (Vec::new(), 0);
    for (some, failed) in tasks.join_all().await {
        times.extend(some);
        errors += failed;
    }
    let (seconds, cpu) = (started.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len()).unwrap_or(u32::MAX).max(1);
    Ok(Measured {
        rate: times.len() as f64 / seconds,
        mean_ms: ms(mean),
        p99_ms: times.get(times.len() * 99 / 100).map_or(0.0, |time| ms(*time)),
        cpu_us: cpu * 1e6 / times.len().max(1) as f64,
        errors,
    })
}

/// User and system time of this process, in ticks of 10 ms (proc(5), fields 14 and 15).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn question(narrative: &str) -> Vec<u8> {
    let body = serde_json::json!({
        "model": "bench",
        "messages": [{"role": "system", "content": "Name the condition."}, {"role": "user", "content": narrative}],
    });
    request("POST", "/v1/chat/completions", &[("authorization", "Bearer bench")], body.to_string().as_bytes())
}
