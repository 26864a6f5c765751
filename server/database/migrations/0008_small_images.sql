-- Every attempt reads the image: a small one lies in its row, where it need not be put together from pieces elsewhere.
alter table thumbnails set (toast_tuple_target = 4080);
