import { describe, expect, test } from 'bun:test';
import { parseConfig } from '../src/settings/config.ts';
import { startWarnings } from '../src/start-warnings.ts';

const OPEN = /everyone who reaches this server may register/;
const PAST_PROXY = /past the proxy chooses the address/;
const EVERYTHING = /holds every address/;
const HEADER = /must overwrite or remove cf-connecting-ip/;
const FORGED = /believes a forged X-Forwarded-For/;

describe('the start warns', () => {
  const table: [Record<string, string>, RegExp[]][] = [
    [{}, []],
    [{ HOST: 'localhost' }, []],
    [{ HOST: '::1', REGISTRATION: 'open' }, []],
    [{ HOST: '0.0.0.0' }, [OPEN]],
    [{ HOST: '0.0.0.0', REGISTRATION: 'closed' }, []],
    [{ TRUST_PROXY: '1' }, [OPEN]],
    [{ TRUST_PROXY: '1', REGISTRATION: 'closed' }, []],
    [{ HOST: '::', TRUST_PROXY: '1' }, [OPEN, PAST_PROXY]],
    [{ HOST: '::', TRUST_PROXY: 'loopback' }, [OPEN]],
    [{ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.2', REGISTRATION: 'closed' }, []],
    [{ TRUST_PROXY: '10.0.0.2,0.0.0.0/0', REGISTRATION: 'closed' }, [EVERYTHING]],
    [{ TRUST_PROXY: '::/0', REGISTRATION: 'closed' }, [EVERYTHING]],
    [{ TRUST_PROXY: 'private', CLIENT_IP_HEADER: 'CF-Connecting-IP', REGISTRATION: 'closed' }, [HEADER]],
    [{ TRUST_PROXY: '2', REGISTRATION: 'closed' }, [FORGED]],
    [{ HOST: '0.0.0.0', TRUST_PROXY: '3', REGISTRATION: 'closed' }, [PAST_PROXY, FORGED]],
  ];
  test.each(table)('of what %p lets in', (environment, expected) => {
    const { config } = parseConfig(environment, '/');
    const warnings = startWarnings(config, config.registration ?? 'open');
    expect(warnings).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});
