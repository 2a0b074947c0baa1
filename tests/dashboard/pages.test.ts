import { describe, expect, test } from 'bun:test';
import { WebsitePage } from '../../src/dashboard/pages/WebsitePage.tsx';
import { findPage, PAGES, SECTIONS } from '../../src/dashboard/pages.ts';

describe('the page at a path', () => {
  test('has the parameters of the path', () => {
    const found = findPage('/websites/a%2Fb/visitors/one');
    expect(found).toMatchObject({ parameters: { websiteId: 'a/b', visitorId: 'one' }, isPublic: false });
  });

  test('the page is the same for the public, which sees a note', () => {
    const parameters = { websiteId: 'w' };
    expect(findPage('/websites/w')).toEqual({
      page: WebsitePage,
      parameters,
      isPublic: false,
      needsLogin: true,
    });
    expect(findPage('/public/w')).toEqual({
      page: WebsitePage,
      parameters,
      isPublic: true,
      needsLogin: false,
    });
  });

  test.each([
    '/websites',
    '/public/w/sessions',
    '/public/w/visitors/v',
    '/public/w/settings',
    '/websites/w/none',
  ])('there is none at %s', (path) => expect(findPage(path)).toBeUndefined());

  test('there is one page at a path', () => {
    const paths = PAGES.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
  });
});

describe('the sections of a website', () => {
  test('begin with its own address', () => {
    expect(SECTIONS[0]).toEqual({ path: '', name: 'Dashboard', isPublic: true });
  });

  test('show the public nothing that identifies visitors', () => {
    const shared = SECTIONS.filter(({ isPublic }) => isPublic);
    expect(shared.map(({ path }) => path)).toEqual(['', '/realtime']);
    expect(SECTIONS.length).toBeGreaterThan(shared.length);
  });
});
