-- What was searched for when "Retry all" was chosen was worded in the detail, and erasing a candidate had to parse it back.
alter table activity add column search text;
update activity set search = substring(detail from 'matching (.*)$'),
  detail = nullif(regexp_replace(detail, '(, )?matching .*$', ''), '')
where action = 'deliveries.retried' and detail like '%matching %';
