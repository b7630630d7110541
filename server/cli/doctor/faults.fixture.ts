/**
 * Every fault that doctor must find, in one place: how it is made, and what is said of it, with the cure. `server/cli/faults.test.ts` makes those that
 * keep a command from working, `server/cli/doctor.test.ts` all others; docs/troubleshooting.md has each line.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { writeJournal } from '../../supervisor/update-journal.ts'
import {
  aPlace,
  damagedModel,
  backups,
  DAY,
  nobodyAt,
  type Fault,
  silentStun,
  strictMail,
  strictRelay,
  takenPort,
} from './faults.places.fixture.ts'

const ALL = ['doctor', 'up', 'backup']
const SERVES = ['doctor', 'up']
const GIVE = /Give it to the user Vigil runs as/
const PROXY = /docs\/self-hosting\.md, Reverse proxy/

const is = (at: Omit<Fault, 'found' | 'make'>, found: RegExp, make: Fault['make']): Fault => ({
  ...at,
  found,
  make,
})

const OF_THE_FOLDER: Record<string, Fault> = {
  'a secrets.json that is no JSON': is(
    { line: 'secrets', state: 'fail', commands: ALL, advice: /Put it back from a copy/ },
    /secrets\.json, the key of sessions and links, cannot be used/,
    ({ data }) => writeFileSync(join(data, 'secrets.json'), '{"VIGIL_SECRET": "cut'),
  ),
  'a secrets.json that may not be read': is(
    { line: 'secrets', state: 'fail', commands: ALL, modes: true, advice: /Put it back from a copy/ },
    /secrets\.json, the key of sessions and links, cannot be used: EACCES/,
    ({ data }) => chmodSync(join(data, 'secrets.json'), 0),
  ),
  'a data folder that may not be written': is(
    { line: 'folder', state: 'fail', commands: ALL, modes: true, advice: GIVE },
    /This user may not use .*\(EACCES\)/,
    ({ data }) => {
      for (const name of ['run', 'log', 'files', 'files/tsd-pics/.part', 'backups', ''])
        if (existsSync(join(data, name))) chmodSync(join(data, name), 0o500)
    },
  ),
  'a file where the data folder should be': is(
    { line: 'folder', state: 'fail', commands: ALL, advice: /Move away what is in its place/ },
    /is not what it should be/,
    ({ data }) => {
      rmSync(data, { recursive: true })
      writeFileSync(data, '')
    },
  ),
  'a data folder that others may look into': is(
    { line: 'folder', state: 'warn', advice: /chmod go-rwx/ },
    /Others on this machine may look into/,
    ({ data }) => chmodSync(data, 0o755),
  ),
  'files that may not be written': is(
    { line: 'files', state: 'fail', commands: SERVES, modes: true, advice: GIVE },
    /This user may not use .*tsd-gcodes.* \(EACCES\)/,
    ({ data }) => chmodSync(join(data, 'files/tsd-gcodes'), 0o500),
  ),
  'files on a file system that takes none': is(
    { line: 'files', state: 'fail', commands: SERVES, advice: /Give it to|Mount it for writing/ },
    /This user may not use .*files|read-only/,
    ({ data }) => {
      rmSync(join(data, 'files'), { recursive: true })
      symlinkSync('/sys/kernel', join(data, 'files'))
    },
  ),
  'a page of a table that is damaged': is(
    { line: 'database', state: 'fail', commands: ALL, advice: /Stop Vigil, .* restore the newest backup/ },
    /The database is damaged: invalid page/,
    async ({ data, pages }) => {
      const file = await open(join(data, 'pg', pages), 'r+')
      await file.write('damaged by a bad disk', 4_000)
      await file.close()
    },
  ),
  'a database of another major of PostgreSQL': is(
    { line: 'database', state: 'fail', commands: ALL, advice: /restore a backup into a new data folder/ },
    /was written by PostgreSQL 14/,
    ({ data }) => writeFileSync(join(data, 'pg/PG_VERSION'), '14\n'),
  ),
  'a database that a newer Vigil has written': is(
    { line: 'database', state: 'fail', commands: SERVES, advice: /Install that version again/ },
    /written by a newer version of Vigil/,
    async ({ tell }) => await tell(`insert into kysely_migration values ('9999-of-the-future', now()::text)`),
  ),
  'a database that is away': is(
    { line: 'database', state: 'fail', commands: ALL, advice: /DATABASE_URL/ },
    /database .*is not reachable/,
    async () => ({
      DATABASE_URL: `postgres://vigil:hunter2@${await nobodyAt()}/vigil`,
      VIGIL_SECRET: 'hunter2'.repeat(5),
    }),
  ),
  'Redis that is stopped': is(
    { line: 'live', state: 'fail', commands: SERVES, advice: /Start it, or correct REDIS_URL/ },
    /Redis at 127\.0\.0\.1:\d+ is not reachable/,
    async () => ({ REDIS_URL: `redis://:hunter2@${await nobodyAt()}` }),
  ),
  'S3 that is away': is(
    { line: 'files', state: 'fail', commands: SERVES, advice: /Start it, or correct S3_URL/ },
    /The S3 server at 127\.0\.0\.1:\d+ cannot be used/,
    async () => ({
      S3_URL: `http://${await nobodyAt()}`,
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'hunter2',
    }),
  ),
  'files that come from the future: the clock was set back': is(
    { line: 'clock', state: 'fail', advice: /NTP/ },
    /is [23] days behind the newest file in/,
    ({ data }) => {
      const later = new Date(Date.now() + 3 * DAY)
      mkdirSync(join(data, 'log'), { recursive: true })
      writeFileSync(join(data, 'log/postgres.log'), '')
      utimesSync(join(data, 'log/postgres.log'), later, later)
    },
  ),
  'a model that is not what its card says': is(
    { line: 'model', state: 'fail', advice: /Correct DETECTOR_MODEL_FOLDER/ },
    /has SHA-256 \w+, expected/,
    ({ data }) => {
      damagedModel(join(data, 'mine'))
      return { DETECTOR_MODEL_FOLDER: join(data, 'mine') }
    },
  ),
  'a disk that is full': is(
    { line: 'disk', state: 'fail', advice: /Make room, .* only reads/ },
    /^0\.0 GB free for \/proc/,
    () => ({ VIGIL_DATA: '/proc' }),
  ),
  'no ffmpeg': is(
    { line: 'ffmpeg', state: 'warn', wrong: 'path', advice: /apt install ffmpeg/ },
    /There is no ffmpeg; prints are watched, but time-lapses cannot be made/,
    () => undefined,
  ),
  'a slicer that cannot be run': is(
    { line: 'slicer', state: 'warn', advice: /Correct SLICER_PROGRAM/ },
    /cannot be run as PrusaSlicer/,
    () => ({ SLICER_PROGRAM: '/no/such/slicer' }),
  ),
  'a port that another program has': is(
    { line: 'port', state: 'fail', advice: /Set PORT to another one/ },
    /another program has it/,
    async () => ({ PORT: String(await takenPort()) }),
  ),
  'an update that was stopped half-way': is(
    { line: 'update', state: 'warn', advice: /update --back goes back/ },
    /from 1 to 2 .* has not ended/,
    ({ data }) => {
      const program = { root: data, next: data, before: data, entries: [] }
      writeJournal({ dataFolder: data }, { phase: 'switched', from: '1', to: '2', at: 0, program })
    },
  ),
}

const AROUND: Record<string, Fault> = {
  'a server that was started with another PORT': is(
    { line: 'port', state: 'fail', beside: true, advice: /started with another PORT/ },
    /The server runs \(process \d+\), but .* does not answer/,
    async () => ({ PORT: String((await nobodyAt()).split(':')[1]) }),
  ),
  'a proxy that drops Upgrade': is(
    { line: 'websocket', state: 'fail', beside: true, advice: /must pass Upgrade and Connection/ },
    /not at .*: the Upgrade header is lost on the way/,
    ({ proxies }) => ({ PUBLIC_URL: proxies.stripping }),
  ),
  'a proxy that hands on what strangers claim': is(
    { line: 'proxy', state: 'warn', beside: true, advice: PROXY },
    /hands on X-Forwarded-Host or X-Forwarded-Prefix of strangers/,
    ({ proxies }) => ({ PUBLIC_URL: proxies.handing }),
  ),
  'a proxy that is not trusted': is(
    { line: 'proxy', state: 'fail', beside: true, advice: /^Set TRUSTED_PROXIES to 127\.0\.0\.7/ },
    /calls from 127\.0\.0\.7, which TRUSTED_PROXIES=127\.0\.0\.1 does not name/,
    ({ proxies }) => ({ PUBLIC_URL: proxies.strange }),
  ),
  'a proxy that hides the address it is called by': is(
    { line: 'proxy', state: 'fail', beside: true, advice: PROXY },
    /is called as http:\/\/127\.0\.0\.1:\d+, so links lead there/,
    ({ proxies }) => ({ PUBLIC_URL: proxies.naming }),
  ),
  'a proxy of everybody': is(
    { line: 'proxy', state: 'fail', beside: true, advice: /\S/ },
    /believes everybody/,
    () => ({ TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1,::/1' }),
  ),
  'PUBLIC_URL that leads to nobody': is(
    { line: 'proxy', state: 'fail', beside: true, advice: /\S/ },
    /does not lead to this server: connect ECONNREFUSED/,
    async () => ({ PUBLIC_URL: `http://${await nobodyAt()}` }),
  ),
  'links that lead to this machine alone': is(
    { line: 'links', state: 'warn', advice: /^Set PUBLIC_URL/ },
    /which this machine alone finds/,
    () => ({ PUBLIC_URL: 'http://localhost:3334' }),
  ),
  'a mail server that is away': is(
    { line: 'mail', state: 'fail', advice: /EMAIL_PORT/ },
    /takes no letters of ours: .*ECONNREFUSED/,
    () => ({ EMAIL_HOST: '127.0.0.1', EMAIL_USE_TLS: 'false', EMAIL_PORT: '1' }),
  ),
  'a mail server that refuses our password': is(
    { line: 'mail', state: 'fail', advice: /EMAIL_HOST_PASSWORD/ },
    /535 5\.7\.8/,
    async () => ({
      EMAIL_HOST: '127.0.0.1',
      EMAIL_USE_TLS: 'false',
      EMAIL_PORT: String(await strictMail()),
      EMAIL_HOST_USER: 'vigil',
      EMAIL_HOST_PASSWORD: 'hunter2hunter2',
    }),
  ),
  'the disk of backups is not mounted': is(
    { line: 'backup', state: 'fail', advice: /Correct BACKUP_TO/ },
    /There is no folder .*nowhere \(BACKUP_TO\)\. Is its disk mounted/,
    ({ data }) => backups(join(data, 'nowhere')),
  ),
  'another passphrase than that of the backups': is(
    { line: 'backup', state: 'fail', advice: /no night makes a backup/ },
    /BACKUP_PASSPHRASE is not the passphrase/,
    async ({ data }) => {
      await aPlace(join(data, 'usb'), 0)
      return backups(join(data, 'usb'), 'four blind mice')
    },
  ),
  'no passphrase where backups are sealed': is(
    { line: 'backup', state: 'fail', advice: /Correct BACKUP_TO and BACKUP_PASSPHRASE/ },
    /are sealed: set BACKUP_PASSPHRASE/,
    async ({ data }) => {
      await aPlace(join(data, 'sealed'), 0)
      return backups(join(data, 'sealed'), '')
    },
  ),
  'nights whose backup failed': is(
    { line: 'backup', state: 'warn', advice: /page System/ },
    /It is 4 days old/,
    async ({ data }) => {
      await aPlace(join(data, 'old'), 4.5, '')
      return backups(join(data, 'old'), '')
    },
  ),
  'a folder of backups that holds none': is(
    { line: 'backup', state: 'warn', advice: /is the disk mounted/ },
    /holds no backups/,
    ({ data }) => {
      mkdirSync(join(data, 'empty'))
      return backups(join(data, 'empty'))
    },
  ),
  'a STUN server that is silent': is(
    { line: 'relay', state: 'warn', advice: /firewall/ },
    /^stun:\S+ does not answer\.$/,
    async () => ({ STUN_URLS: `stun:127.0.0.1:${await silentStun()}` }),
  ),
  'a relay that refuses the password of viewers': is(
    { line: 'relay', state: 'warn', advice: /TURN_SECRET/ },
    /refuses the password that viewers get/,
    async () => ({ TURN_URLS: `turn:127.0.0.1:${await strictRelay()}`, TURN_SECRET: 'a secret of viewers' }),
  ),
  'names of tunnels that DNS does not know': is(
    { line: 'tunnels', state: 'fail', beside: true, advice: /^DNS must lead/ },
    /not reached by sub-domains of nowhere\.invalid/,
    () => ({ TUNNEL_DOMAIN: 'nowhere.invalid' }),
  ),
  'a clock that is days ahead': is(
    { line: 'clock', state: 'fail', wrong: 'process', advice: /NTP/ },
    /is [23] days ahead of that of the disk/,
    () => undefined,
  ),
  'a package of video that is not installed': is(
    { line: 'video', state: 'warn', wrong: 'process', advice: /npm ci/ },
    /node-datachannel is not installed/,
    () => ({ STREAM_FANOUT: 'on' }),
  ),
}

export const FAULTS: Readonly<Record<string, Fault>> = { ...OF_THE_FOLDER, ...AROUND }
