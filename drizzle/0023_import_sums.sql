CREATE TABLE `import_sums` (
	`key` integer PRIMARY KEY NOT NULL,
	`import_key` integer NOT NULL,
	`website_key` integer NOT NULL,
	`family` text NOT NULL,
	`day` integer NOT NULL,
	`names` text NOT NULL,
	`visitors` integer NOT NULL,
	`visits` integer NOT NULL,
	`pageviews` integer NOT NULL,
	`bounces` integer NOT NULL,
	`duration_s` integer NOT NULL,
	FOREIGN KEY (`import_key`) REFERENCES `imports`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `import_sums_once` ON `import_sums` (`website_key`,`family`,`day`,`names`);--> statement-breakpoint
CREATE INDEX `import_sums_import` ON `import_sums` (`import_key`);