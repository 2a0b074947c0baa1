CREATE TABLE `removals` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`website_key` integer NOT NULL,
	`visitor_id` blob,
	`before_day` integer,
	`removed_at_ms` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `analytics_state` (`name`, `value`) VALUES ('log', random() & 9007199254740991);
