SELECT traces.id, traces.request_id, traces.principal, traces.started_at, traces.ms, traces.status, traces.reason, traces.has_text, traces.query, traces.usage 
FROM traces 
WHERE traces.principal = $1::VARCHAR AND traces.expires_at > now() AND (traces.started_at, traces.id) < (SELECT known.started_at, known.id 
FROM traces AS known 
WHERE known.id = $2::UUID AND known.principal = $3::VARCHAR) ORDER BY traces.started_at DESC, traces.id DESC 
 LIMIT $4::INTEGER;
