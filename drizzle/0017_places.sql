CREATE TABLE `places` (
	`key` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `places_name` ON `places` (`name`);--> statement-breakpoint
ALTER TABLE `events` ADD `place` integer;--> statement-breakpoint
ALTER TABLE `websites` ADD `is_country_only` integer DEFAULT false NOT NULL;