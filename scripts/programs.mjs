// The programs of the system that the tests need: installed where that is possible, named where it is not.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotStart, run } from './bootstrap.mjs'

const isCi = process.env.CI === 'true' || process.env.CI === '1'

/** @type {{ program: string, alternatives?: string[], package: string, wanted: string }[]} */
const PROGRAMS = [
  {
    program: 'chromium',
    alternatives: ['chromium-browser', 'google-chrome'],
    package: 'chromium',
    wanted: 'the browser journeys',
  },
  {
    program: 'chromium-headless-shell',
    package: 'chromium-headless-shell',
    wanted: 'quicker browser journeys',
  },
  { program: 'ffmpeg', package: 'ffmpeg', wanted: 'the tests of time-lapses' },
  {
    program: 'redis-server',
    alternatives: ['valkey-server'],
    package: 'redis-server',
    wanted: 'the tests over Redis',
  },
  {
    program: 'mosquitto',
    alternatives: ['/usr/sbin/mosquitto'],
    package: 'mosquitto',
    wanted: 'the tests over MQTT',
  },
  {
    program: 'nginx',
    alternatives: ['/usr/sbin/nginx'],
    package: 'nginx-light',
    wanted: 'the tests behind a proxy',
  },
  { program: 'caddy', package: 'caddy', wanted: 'the tests behind another proxy' },
  { program: 'promtool', package: 'prometheus', wanted: 'the check of alert rules' },
  { program: 'janus', package: 'janus', wanted: 'the tests of video' },
  { program: 'turnserver', package: 'coturn', wanted: 'the tests of video over a relay' },
  {
    program: 'nft',
    alternatives: ['/usr/sbin/nft'],
    package: 'nftables',
    wanted: 'the bad lines of those tests',
  },
  {
    program: 'ip',
    alternatives: ['/usr/sbin/ip'],
    package: 'iproute2',
    wanted: 'the networks of those tests',
  },
  { program: 'prusa-slicer', package: 'prusa-slicer', wanted: 'the journey of a slicer' },
  { program: 'Xvfb', package: 'xvfb', wanted: 'the screen of that slicer' },
  { program: 'xdotool', package: 'xdotool', wanted: 'the hands on that slicer' },
  { program: '/usr/share/i18n/locales/en_US', package: 'locales', wanted: 'the language of that slicer' },
  {
    program: '/usr/share/python-wheels',
    package: 'python3-venv',
    wanted: 'the tunnel to real printers',
  },
  {
    program: '/usr/lib/x86_64-linux-gnu/libsodium.so.23',
    alternatives: ['/usr/lib/aarch64-linux-gnu/libsodium.so.23'],
    package: 'libsodium23',
    wanted: 'Moonraker behind it',
  },
]
const FONT = {
  package: 'fonts-noto-cjk',
  folder: '/usr/share/fonts/opentype/noto',
  wanted: 'pictures of Chinese pages',
}

/** What Stripe itself checks requests by: a Go module, built once, where Go is (server/engines/billing/stripe-mock.test.ts). */
const STRIPE_MOCK = 'github.com/stripe/stripe-mock@v0.203.0'
const goFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), '.vigil/go')

/** @param {string} program */
const has = (program) =>
  program.startsWith('/')
    ? existsSync(program)
    : spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function missing() {
  const gone = PROGRAMS.filter(({ program, alternatives = [] }) => ![program, ...alternatives].some(has))
  const hasFont = existsSync(FONT.folder) && readdirSync(FONT.folder).some((name) => name.includes('CJK'))
  return hasFont ? gone : [...gone, FONT]
}

/** Installs what is missing. Raises `CannotStart` in CI when something still is. */
export function installPrograms() {
  const wanted = missing()
  if (wanted.length > 0 && has('apt-get')) {
    const become = process.getuid?.() === 0 ? [] : has('sudo') ? ['sudo', '-n'] : null
    if (become)
      apt(
        become,
        wanted.map((one) => one.package),
      )
  }
  const left = missing()
  for (const one of left) console.log(`Not there: ${one.package}, for ${one.wanted}.`)
  if (left.length > 0 && isCi) throw new CannotStart('CI needs all of the above: apt-get install them.')
  buildStripeMock()
}

/** Says so where it can't be built; raises `CannotStart` in CI. */
function buildStripeMock() {
  if (!has('go') || existsSync(join(goFolder, 'stripe-mock'))) return
  try {
    run('building stripe-mock', 'env', [`GOBIN=${goFolder}`, 'go', 'install', STRIPE_MOCK])
  } catch (error) {
    if (isCi || !(error instanceof CannotStart)) throw error
    console.log(`Not there: stripe-mock, for the check of what Stripe is asked. ${error.message}`)
  }
}

/** @param {string[]} become @param {string[]} packages */
function apt(become, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  /** @param {string[]} args */
  const call = (...args) => {
    const [command = '', ...rest] = [...become, 'apt-get', '-qq', ...args]
    return spawnSync(command, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  }
  console.log(`Installing ${packages.join(', ')} …`)
  const letStart = withholdServices(become)
  try {
    install(call, packages)
  } finally {
    letStart()
  }
}

const POLICY = '/usr/sbin/policy-rc.d'

/**
 * Keeps apt from starting what it installs: Janus, a relay, a proxy. Returns how to let it again; a policy of somebody else's stays.
 * @param {string[]} become
 */
function withholdServices(become) {
  if (existsSync(POLICY)) return () => {}
  const [command, ...rest] = [...become, 'sh', '-c']
  spawnSync(command, [...rest, `printf '#!/bin/sh\\nexit 101\\n' > ${POLICY} && chmod 755 ${POLICY}`])
  return () => void spawnSync(command, [...rest, `rm -f ${POLICY}`])
}

/** @param {(...args: string[]) => boolean} call @param {string[]} packages */
function install(call, packages) {
  const get = () => call('install', '-y', '--no-install-recommends', ...packages)
  if (get()) return
  call('update')
  if (get()) return
  // one that this distribution does not have shall not keep the others away
  for (const one of packages) call('install', '-y', '--no-install-recommends', one)
}
