-- Where each attempt was sent, and the headers of the response: at most 4 KiB as JSON, without secrets.
alter table delivery_attempts add column url text;
alter table delivery_attempts add column response_headers text;
