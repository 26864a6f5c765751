-- The trace context of the request that opened a delivery, so that attempts join its trace. Null: not traced.
alter table deliveries add column traceparent text check (length(traceparent) = 55);
