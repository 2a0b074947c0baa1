CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`expires_at_ms` integer,
	`last_used_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `event_counts` (
	`website_key` integer NOT NULL,
	`type` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`website_key`, `type`)
);
--> statement-breakpoint
CREATE TABLE `events` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` blob NOT NULL,
	`website_key` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`type` integer NOT NULL,
	`url` text NOT NULL,
	`referrer` text,
	`session_id` blob NOT NULL,
	`visitor_id` blob NOT NULL,
	`device_type` integer,
	`browser` text,
	`os` text,
	`location` text,
	`language` text,
	`screen` text,
	`properties` text,
	`flags` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_event_id` ON `events` (`event_id`);--> statement-breakpoint
CREATE INDEX `events_website_time` ON `events` (`website_key`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `logins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`revoked_at_ms` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `logins_user` ON `logins` (`user_id`);--> statement-breakpoint
CREATE INDEX `logins_expiry` ON `logins` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `token_pairs` (
	`jti` text PRIMARY KEY NOT NULL,
	`login_id` text NOT NULL,
	`refreshed_at_ms` integer,
	FOREIGN KEY (`login_id`) REFERENCES `logins`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `token_pairs_login` ON `token_pairs` (`login_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`name` text,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);--> statement-breakpoint
CREATE TABLE `websites` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`domain` text NOT NULL,
	`domain_key` text NOT NULL,
	`description` text NOT NULL,
	`tracking_code` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`deleted_at_ms` integer,
	`timezone` text DEFAULT 'UTC' NOT NULL,
	`allowed_origins` text DEFAULT '[]' NOT NULL,
	`excluded_ips` text DEFAULT '[]' NOT NULL,
	`retention_days` integer,
	`is_public` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `websites_id` ON `websites` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `websites_tracking_code` ON `websites` (`tracking_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `websites_user_domain` ON `websites` (`user_id`,`domain_key`) WHERE deleted_at_ms is null;