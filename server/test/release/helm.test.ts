/** The chart of deploy/helm: Helm renders it, and what comes out is what Kubernetes takes (kubeconform, by the schemas that its module ships). */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldsOf } from '@vigil/contract/fields.ts'

const root = join(import.meta.dirname, '../../..')
const chart = join(root, 'deploy/helm/vigil')
/** Programs of Go's own registry, kept between runs. */
const programs = join(root, '.vigil/go')
const MODULES = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0',
}
const SCHEMAS = 'k8s.io/kubernetes@v1.34.1'
/** What the chart makes. */
const KINDS = new Set(['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service', 'StatefulSet'])
const env = { ...process.env, GOBIN: programs }
const hasGo = spawnSync('go', ['version'], { env }).status === 0
if (!hasGo) console.warn('go is not installed: the chart is not rendered here.')

const folder = mkdtempSync(join(tmpdir(), 'vigil-helm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const call = (command: string, args: string[]) =>
  spawnSync(command, args, { env, encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
const render = (...set: string[]) =>
  call(join(programs, 'helm'), ['template', 'house', chart, ...set.flatMap((one) => ['--set', one])])

/** One schema for each kind, as kubeconform looks for them, closed: what no schema knows is refused. */
function writeSchemas(): void {
  const { stdout } = call('go', ['mod', 'download', '-json', SCHEMAS])
  const from = join(String(fieldsOf(JSON.parse(stdout))['Dir']), 'api/openapi-spec/v3')
  for (const file of readdirSync(from).filter((one) =>
    /^api(s__(apps|networking\.k8s\.io|policy))?__v1_openapi\.json$/.test(one),
  )) {
    const { components } = fieldsOf(JSON.parse(readFileSync(join(from, file), 'utf8')))
    const all = fieldsOf(fieldsOf(components)['schemas'])
    for (const schema of Object.values(all)) close(schema)
    for (const [id, schema] of Object.entries(all)) {
      const kinds = fieldsOf(schema)['x-kubernetes-group-version-kind']
      const kind: unknown = Array.isArray(kinds) ? kinds[0] : undefined
      const name = String(fieldsOf(kind)['kind'])
      if (!KINDS.has(name)) continue
      const text = JSON.stringify({ $ref: `#/components/schemas/${id}`, components: { schemas: all } })
      writeFileSync(join(folder, `${name.toLowerCase()}.json`), text)
    }
  }
}

function close(schema: unknown): void {
  const fields = fieldsOf(schema)
  if (
    typeof schema === 'object' &&
    schema !== null &&
    'properties' in fields &&
    !('additionalProperties' in fields)
  )
    Object.assign(schema, { additionalProperties: false })
}

describe.skipIf(!hasGo)('the chart', () => {
  beforeAll(() => {
    mkdirSync(programs, { recursive: true })
    for (const [name, module] of Object.entries(MODULES)) {
      if (existsSync(join(programs, name))) continue
      const { status, stderr } = call('go', ['install', module])
      if (status !== 0) throw new Error(stderr)
    }
    writeSchemas()
  }, 1_800_000)

  test('is in order', () => {
    const linted = call(join(programs, 'helm'), ['lint', '--strict', chart])
    expect([linted.stdout, linted.status]).toEqual([expect.stringContaining('0 chart(s) failed'), 0])
  })

  test.each([
    ['one pod with its disk', [], ['Service', 'StatefulSet']],
    [
      'with an ingress',
      ['ingress.enabled=true', 'ingress.tunnels=true'],
      ['Ingress', 'Service', 'StatefulSet'],
    ],
    [
      'web and worker pods',
      ['mode=scaled', 'secretName=vigil', 'settings.PUBLIC_URL=https://vigil.example.org'],
      ['Deployment', 'Deployment', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service'],
    ],
  ])('%s is what Kubernetes takes', (_, set, kinds) => {
    const { stdout, stderr, status } = render(...set)
    expect([stderr, status]).toEqual(['', 0])
    expect([...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).toSorted()).toEqual(kinds)
    const file = join(folder, 'rendered.yaml')
    writeFileSync(file, stdout)
    const checked = call(join(programs, 'kubeconform'), [
      '-strict',
      '-summary',
      '-schema-location',
      `${folder}/{{.ResourceKind}}.json`,
      file,
    ])
    expect([checked.stdout, checked.status]).toEqual([
      expect.stringMatching(new RegExp(`Valid: ${kinds.length}, Invalid: 0, Errors: 0, Skipped: 0`)),
      0,
    ])
    writeFileSync(file, stdout.replace('containerPort:', 'containerPrt:'))
    expect(
      call(join(programs, 'kubeconform'), [
        '-strict',
        '-schema-location',
        `${folder}/{{.ResourceKind}}.json`,
        file,
      ]).status,
    ).toBe(1)
  })

  test('says what is switched off, what is 0 and what is large, and nothing of what is left empty', () => {
    const file = join(folder, 'settings.yaml')
    writeFileSync(
      file,
      'settings: { SHARING_ENABLED: false, PIC_POST_LIMIT_PER_MINUTE: 0, HSTS_SECONDS: 31536000 }',
    )
    const { stdout } = call(join(programs, 'helm'), ['template', 'house', chart, '--values', file])
    expect(stdout).toMatch(/- name: SHARING_ENABLED\n +value: "false"\n/)
    expect(stdout).toMatch(/- name: PIC_POST_LIMIT_PER_MINUTE\n +value: "0"\n/)
    expect(stdout).toMatch(/- name: HSTS_SECONDS\n +value: "31536000"\n/)
    expect(stdout).not.toContain('PUBLIC_URL')
  })

  test('refuses what cannot work, in a sentence', () => {
    expect(render('mode=scaled').stderr).toMatch(/needs secretName/)
    expect(render('mode=both').stderr).toMatch(/mode is single or scaled/)
  })
})
