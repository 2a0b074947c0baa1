CREATE TABLE `audit_entries` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`at_ms` integer NOT NULL,
	`actor_id` text,
	`actor` text,
	`action` text NOT NULL,
	`website_id` text,
	`subject` text NOT NULL,
	`details` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `audit_entries_account` ON `audit_entries` (`account_id`,`key`);--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at_ms`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text,
	`role` text NOT NULL,
	`website_ids` text,
	`hides` text DEFAULT '[]' NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`email` text,
	`token_hash` text,
	`expires_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`joined_at_ms` integer,
	FOREIGN KEY (`account_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_token_hash` ON `members` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `members_account_user` ON `members` (`account_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `members_user` ON `members` (`user_id`);