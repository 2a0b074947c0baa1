CREATE TABLE `saved_segments` (
	`id` text PRIMARY KEY NOT NULL,
	`website_key` integer NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`is_public` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`website_key`) REFERENCES `websites`(`key`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_segments_website_name` ON `saved_segments` (`website_key`,`name`);