CREATE TABLE `share_links` (
	`id` text PRIMARY KEY NOT NULL,
	`website_key` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`password_hash` text,
	`expires_at_ms` integer,
	`is_revoked` integer NOT NULL,
	`filters` text NOT NULL,
	`hides` text NOT NULL,
	`range` text,
	`origins` text NOT NULL,
	`uses` integer NOT NULL,
	`last_used_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`website_key`) REFERENCES `websites`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_links_token_hash` ON `share_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `share_links_website` ON `share_links` (`website_key`);