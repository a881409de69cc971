SELECT coalesce(EXTRACT(epoch FROM now() - (SELECT outbox.created_at 
FROM outbox 
WHERE outbox.state IN ('pending', 'claimed') ORDER BY outbox.id 
 LIMIT $1::INTEGER)), $2::FLOAT) AS coalesce_1;
