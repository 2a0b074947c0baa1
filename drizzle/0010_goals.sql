CREATE TABLE `goals` (
	`id` text PRIMARY KEY NOT NULL,
	`website_key` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`match` text NOT NULL,
	`properties` text DEFAULT '[]' NOT NULL,
	`value_minor` integer,
	`currency` text,
	`is_public` integer DEFAULT false NOT NULL,
	`archived_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`website_key`) REFERENCES `websites`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `goals_website_name` ON `goals` (`website_key`,`name`);