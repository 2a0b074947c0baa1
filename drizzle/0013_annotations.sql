CREATE TABLE `annotations` (
	`id` text PRIMARY KEY NOT NULL,
	`website_key` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`is_day` integer NOT NULL,
	`text` text NOT NULL,
	`is_public` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`website_key`) REFERENCES `websites`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `annotations_website_at` ON `annotations` (`website_key`,`at_ms`);