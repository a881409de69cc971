DELETE FROM traces WHERE traces.expires_at <= now();
