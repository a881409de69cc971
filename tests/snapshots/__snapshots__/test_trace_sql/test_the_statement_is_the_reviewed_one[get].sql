SELECT traces.id, traces.request_id, traces.principal, traces.started_at, traces.ms, traces.status, traces.reason, traces.has_text, traces.query, traces.usage, traces.document 
FROM traces 
WHERE traces.id = $1::UUID AND traces.principal = $2::VARCHAR AND traces.expires_at > now();
