SELECT traces.id, traces.request_id, traces.principal, traces.started_at, traces.ms, traces.status, traces.reason, traces.has_text, traces.query, traces.usage 
FROM traces 
WHERE traces.principal = $1::VARCHAR AND traces.expires_at > now() ORDER BY traces.started_at DESC, traces.id DESC 
 LIMIT $2::INTEGER;
