-- Where the request that opened a delivery stands in its trace, so that attempts can stand below it. Null: nobody traced.
alter table deliveries add column traceparent text check (length(traceparent) = 55);
