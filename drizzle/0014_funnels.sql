CREATE TABLE `funnels` (
	`id` text PRIMARY KEY NOT NULL,
	`website_key` integer NOT NULL,
	`name` text NOT NULL,
	`steps` text NOT NULL,
	`by` text NOT NULL,
	`order` text NOT NULL,
	`window` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`website_key`) REFERENCES `websites`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `funnels_website_name` ON `funnels` (`website_key`,`name`);