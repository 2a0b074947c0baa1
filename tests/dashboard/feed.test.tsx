import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../src/dashboard/api/client.ts';
import { toPlace } from '../../src/dashboard/api/place.ts';
import { Feed } from '../../src/dashboard/realtime/Feed.tsx';
import { mount } from '../support/render.ts';

describe('the latest visits', () => {
  const REFUSAL = new ApiError(500, 'INTERNAL_ERROR', 'Something went wrong');

  test.each<[string, [] | undefined, boolean, ApiError | undefined, string, boolean]>([
    ['are on their way', undefined, false, undefined, 'Loading…', true],
    ['did not come', undefined, false, REFUSAL, 'Something went wrongTry again', false],
    ['are none', [], false, undefined, 'No events in the last 24 hours.', false],
    [
      'are none that the filters leave',
      [],
      true,
      undefined,
      'None of the latest visits matches the filters.',
      false,
    ],
  ])('that %s are said to be so', (_, visits, isFiltered, fault, text, isBusy) => {
    using page = mount(
      <Feed
        visits={visits}
        isFiltered={isFiltered}
        fault={fault}
        onRetry={() => {}}
        place={toPlace('one', false)}
        nowMs={0}
      />,
    );
    expect(page.find('.feed').textContent).toBe(`Latest visits${text}`);
    expect(page.find('.feed').getAttribute('aria-busy')).toBe(String(isBusy));
  });
});
