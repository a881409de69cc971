INSERT INTO kept_runs (id, principal, events, expires_at) VALUES ($1::UUID, $2::VARCHAR, $3::BYTEA, (now() + $4::INTERVAL)) ON CONFLICT DO NOTHING;
