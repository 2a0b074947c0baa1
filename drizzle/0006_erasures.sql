CREATE TABLE `erasures` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`website_key` integer NOT NULL,
	`events` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `removals` ADD `events` text;