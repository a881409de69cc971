DELETE FROM kept_runs WHERE kept_runs.id IN (SELECT kept_runs.id 
FROM kept_runs 
WHERE kept_runs.expires_at <= now() FOR UPDATE SKIP LOCKED);
