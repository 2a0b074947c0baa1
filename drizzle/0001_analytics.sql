CREATE TABLE `analytics_state` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `day_blocks` (
	`website_key` integer NOT NULL,
	`day` integer NOT NULL,
	`until_key` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`website_key`, `day`)
);
--> statement-breakpoint
CREATE TABLE `day_columns` (
	`website_key` integer NOT NULL,
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`website_key`, `day`, `name`)
);
--> statement-breakpoint
CREATE TABLE `terms` (
	`key` integer PRIMARY KEY NOT NULL,
	`scope` integer NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `terms_scope_text` ON `terms` (`scope`,`text`);--> statement-breakpoint
CREATE TABLE `visitors` (
	`website_key` integer NOT NULL,
	`visitor_id` blob NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`website_key`, `visitor_id`)
) WITHOUT ROWID;
