DELETE FROM kept_runs WHERE kept_runs.id IN (SELECT kept_runs.id 
FROM kept_runs 
WHERE kept_runs.principal = $1::VARCHAR ORDER BY kept_runs.expires_at DESC, kept_runs.id
 LIMIT ALL OFFSET $2::INTEGER FOR UPDATE SKIP LOCKED);
