SELECT kept_runs.events 
FROM kept_runs 
WHERE kept_runs.id = $1::UUID AND kept_runs.principal = $2::VARCHAR AND kept_runs.expires_at > now();
