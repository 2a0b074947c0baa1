-- Changes nothing: from here on the log holds rows in shorter forms (src/db/packed-texts.ts), and a program that does
-- not know this migration would read them wrongly. It refuses to open the database instead. The rows of before stay.
SELECT 1;
