/** The sides of a box by its corners (bits x, y, z), turned outwards. */
const SIDES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const

/** A box of so many mm as a STEP file, as CAD programs write one. */
export function stepBox(width: number, depth: number, height: number): Uint8Array<ArrayBuffer> {
  const lines: string[] = []
  const add = (text: string) => `#${lines.push(`#${lines.length + 1} = ${text};`)}`
  const triple = (all: readonly number[]) => `(${all.map((one) => one.toFixed(6)).join(',')})`
  const point = (all: readonly number[]) => add(`CARTESIAN_POINT('',${triple(all)})`)
  const direction = (all: readonly number[]) => add(`DIRECTION('',${triple(all)})`)
  const corner = (at: number) => [(at & 1) * width, ((at >> 1) & 1) * depth, ((at >> 2) & 1) * height]
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => add(`VERTEX_POINT('',${point(corner(at))})`))
  const edges = new Map<string, string>()
  const edge = (from: number, to: number) => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)]
    const name = `${low} ${high}`
    const way = corner(high).map((value, i) => value - corner(low)[i]!)
    const length = Math.hypot(...way)
    const made =
      edges.get(name) ??
      add(
        `EDGE_CURVE('',${vertices[low]},${vertices[high]},${add(
          `LINE('',${point(corner(low))},${add(`VECTOR('',${direction(way.map((one) => one / length))},${length.toFixed(6)})`)})`,
        )},.T.)`,
      )
    edges.set(name, made)
    return add(`ORIENTED_EDGE('',*,*,${made},${from < to ? '.T.' : '.F.'})`)
  }
  const faces = SIDES.map((side) => {
    const [a, b, c] = [corner(side[0]), corner(side[1]), corner(side[2])]
    const [u, v] = [b.map((one, i) => one - a[i]!), c.map((one, i) => one - b[i]!)] as [number[], number[]]
    const normal = [
      u[1]! * v[2]! - u[2]! * v[1]!,
      u[2]! * v[0]! - u[0]! * v[2]!,
      u[0]! * v[1]! - u[1]! * v[0]!,
    ]
    const unit = (all: number[]) => all.map((one) => one / Math.hypot(...all))
    const plane = add(
      `PLANE('',${add(`AXIS2_PLACEMENT_3D('',${point(a)},${direction(unit(normal))},${direction(unit(u))})`)})`,
    )
    const loop = add(`EDGE_LOOP('',(${side.map((from, i) => edge(from, side[(i + 1) % 4]!)).join(',')}))`)
    return add(`ADVANCED_FACE('',(${add(`FACE_OUTER_BOUND('',${loop},.T.)`)}),${plane},.T.)`)
  })
  const solid = add(`MANIFOLD_SOLID_BREP('Box',${add(`CLOSED_SHELL('',(${faces.join(',')}))`)})`)
  const mm = add('(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))')
  const radian = add('(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))')
  const steradian = add('(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())')
  const exact = add(
    `UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-06),${mm},'distance_accuracy_value','')`,
  )
  const context = add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((${exact})) GLOBAL_UNIT_ASSIGNED_CONTEXT((${mm},${radian},${steradian})) REPRESENTATION_CONTEXT('',''))`,
  )
  const origin = add(
    `AXIS2_PLACEMENT_3D('',${point([0, 0, 0])},${direction([0, 0, 1])},${direction([1, 0, 0])})`,
  )
  const shape = add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',(${origin},${solid}),${context})`)
  const application = add("APPLICATION_CONTEXT('automotive design')")
  add(`APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,${application})`)
  const product = add(`PRODUCT('Box','Box','',(${add(`PRODUCT_CONTEXT('',${application},'mechanical')`)}))`)
  const design = add(
    `PRODUCT_DEFINITION('design','',${add(`PRODUCT_DEFINITION_FORMATION('','',${product})`)},${add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`)})`,
  )
  add(`SHAPE_DEFINITION_REPRESENTATION(${add(`PRODUCT_DEFINITION_SHAPE('','',${design})`)},${shape})`)
  const head =
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('box','2026-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n"
  return new Uint8Array(Buffer.from(`${head}${lines.join('\n')}\nENDSEC;\nEND-ISO-10303-21;\n`))
}
