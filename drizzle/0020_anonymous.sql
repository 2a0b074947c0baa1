CREATE TABLE `visitor_salts` (
	`zone` text NOT NULL,
	`day` integer NOT NULL,
	`random` text NOT NULL,
	PRIMARY KEY(`zone`, `day`)
);
--> statement-breakpoint
ALTER TABLE `websites` ADD `is_anonymous` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `websites` ADD `has_anonymous` integer DEFAULT false NOT NULL;