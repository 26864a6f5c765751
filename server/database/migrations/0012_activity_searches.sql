-- The search behind "Retry all" was part of the detail, and erasing a candidate had to parse it.
alter table activity add column search text;
update activity set search = substring(detail from 'matching (.*)$'),
  detail = nullif(regexp_replace(detail, '(, )?matching .*$', ''), '')
where action = 'deliveries.retried' and detail like '%matching %';
