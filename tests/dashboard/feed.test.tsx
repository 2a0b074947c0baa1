import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../src/dashboard/api/client.ts';
import { toPlace } from '../../src/dashboard/api/place.ts';
import { Feed } from '../../src/dashboard/realtime/Feed.tsx';
import type { FeedAnswer } from '../../src/dashboard/realtime/use-feed.ts';
import { mount } from '../support/render.ts';

describe('the latest events', () => {
  const REFUSAL = new ApiError(500, 'INTERNAL_ERROR', 'Something went wrong');

  test.each<[string, FeedAnswer | undefined, ApiError | undefined, string, boolean]>([
    ['are on their way', undefined, undefined, 'Loading…', true],
    ['did not come', undefined, REFUSAL, 'Something went wrongTry again', false],
    ['are none', { events: [], isFiltered: false }, undefined, 'No events in the last 24 hours.', false],
    [
      'are none that the filters leave',
      { events: [], isFiltered: true },
      undefined,
      'None of the latest events matches the filters.',
      false,
    ],
  ])('that %s are said to be so', (_, answer, fault, text, isBusy) => {
    using page = mount(
      <Feed answer={answer} fault={fault} onRetry={() => {}} place={toPlace('one', false)} nowMs={0} />,
    );
    expect(page.find('.feed').textContent).toBe(`Latest events${text}`);
    expect(page.find('.feed').getAttribute('aria-busy')).toBe(String(isBusy));
  });
});
