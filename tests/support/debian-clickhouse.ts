import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { freePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/clickhouse-server';

/** Whether Debian's server is installed: a real one, but of 2018 (`apt-get install clickhouse-server`). */
export const hasDebianClickHouse = existsSync(PROGRAM);

const USERS = `<yandex>
  <profiles><default/></profiles><quotas><default/></quotas>
  <users><default>
    <password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
  </default></users>
</yandex>`;

/** Debian's server on data of its own. The caller stops it. */
export async function startDebianClickHouse(): Promise<DatabaseServer & { url: string }> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}/default`;
  const server = await startDatabaseServer({
    name: 'debian-clickhouse',
    toCommand(folder) {
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'users.xml'), USERS);
      const config = `<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host><http_port>${port}</http_port><tcp_port>${freePort()}</tcp_port>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><mark_cache_size>100000000</mark_cache_size>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
</yandex>`;
      writeFileSync(join(folder, 'config.xml'), config);
      return [PROGRAM, `--config-file=${folder}/config.xml`];
    },
    healthUrl: `http://127.0.0.1:${port}/ping`,
  });
  return { ...server, url };
}
