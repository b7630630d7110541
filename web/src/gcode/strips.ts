import { FEATURES, INSIDE, JUMP, TRAVEL } from '@vigil/contract/gcode/features.ts'
import {
  BufferGeometry,
  ConeGeometry,
  Float32BufferAttribute,
  GLSL3,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  RawShaderMaterial,
  Vector2,
  Vector3,
} from 'three'
import { bedCorners, bedLines } from './bed.ts'
import { coloursOf, featureColour, type Paint, spanOf, COLOURS } from './paint.ts'
import { movesShown, type Shown } from './shown.ts'
import { type Toolpath, SPEED_STEPS, WIDTH_STEPS } from './toolpath.ts'

/** A bit for each feature that walls hide. */
const HIDDEN = INSIDE.reduce((bits, feature) => bits | (1 << FEATURES.indexOf(feature)), 0)

/**
 * Each move is a strip that faces the eye, as wide as what is laid down and a pixel at least, and is lit as if it were round: four
 * corners a move, all moves in one call.
 */
const vertexShader = `
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 begin;
in vec3 end;
in vec4 mark;
uniform vec3 colours[${COLOURS}];
uniform int paint;
uniform vec2 span;
uniform bool withTravels;
uniform vec3 travelColour;
uniform float pixel;
uniform bool withHidden;
uniform int lastLayer;
out vec3 colour;
out vec3 sideward;
out vec3 eyeward;
out float across;
out float isLit;

void main() {
  int feature = int(mod(mark.x, 32.0));
  bool isHidden = !withHidden && gl_InstanceID < lastLayer && ((${HIDDEN} >> feature) & 1) == 1;
  if (isHidden || feature == ${JUMP} || (feature == ${TRAVEL} && !withTravels)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  bool isTravel = feature == ${TRAVEL};
  float value = paint == 1 ? (mark.z * 256.0 + mark.w) / ${SPEED_STEPS}.0 : mark.y / ${WIDTH_STEPS}.0;
  float part = span.y > span.x ? clamp((value - span.x) / (span.y - span.x), 0.0, 1.0) : 0.0;
  int at = paint == 0 ? feature : paint == 3 ? int(mark.x / 32.0) : int(part * ${COLOURS - 1}.0 + 0.5);
  colour = isTravel ? travelColour : colours[at];
  isLit = isTravel ? 0.0 : 1.0;

  vec3 a = (modelViewMatrix * vec4(begin, 1.0)).xyz;
  vec3 b = (modelViewMatrix * vec4(end, 1.0)).xyz;
  vec3 along = b - a;
  float far = length(along);
  along = far > 1e-6 ? along / far : vec3(1.0, 0.0, 0.0);
  vec3 place = mix(a, b, position.x);
  eyeward = normalize(-place);
  vec3 turned = cross(along, eyeward);
  float size = length(turned);
  sideward = size > 1e-4 ? turned / size : vec3(0.0, 1.0, 0.0);
  across = position.y;
  float half_ = max(isTravel ? 0.0 : mark.y / ${2 * WIDTH_STEPS}.0, pixel * -place.z * (isTravel ? 0.5 : 0.6));
  place += sideward * half_ * position.y;
  if (!isTravel) place += along * half_ * 0.6 * (position.x * 2.0 - 1.0);
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`

const fragmentShader = `
precision highp float;
in vec3 colour;
in vec3 sideward;
in vec3 eyeward;
in float across;
in float isLit;
out vec4 shown;
const vec3 LIGHT = vec3(0.28, 0.62, 0.73);

void main() {
  vec3 facing = sideward * across + eyeward * sqrt(max(0.0, 1.0 - across * across));
  float light = 0.42 + 0.66 * max(0.0, dot(normalize(facing), LIGHT));
  shown = vec4(colour * mix(1.0, light, isLit), 1.0);
}`

/** In the order in which the shader knows them. */
const PAINTS: readonly Paint[] = ['feature', 'speed', 'width', 'tool']

/** All moves, a strip each. What is not shown is neither sent anew nor looked at: the buffers are read from another place. */
export class Strips {
  readonly #path: Toolpath
  readonly #points: InstancedInterleavedBuffer
  readonly #marks: InstancedInterleavedBuffer
  readonly #geometry = new InstancedBufferGeometry()
  readonly #uniforms = {
    colours: { value: coloursOf('feature') },
    paint: { value: 0 },
    span: { value: new Vector2(0, 1) },
    withTravels: { value: false },
    travelColour: { value: colourVector(featureColour('travel')) },
    pixel: { value: 0.001 },
    withHidden: { value: true },
    lastLayer: { value: 0 },
  }
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>
  #first = -1

  constructor(path: Toolpath) {
    this.#path = path
    this.#points = new InstancedInterleavedBuffer(path.points.subarray(0, 3 * (path.count + 1)), 3)
    this.#marks = new InstancedInterleavedBuffer(path.marks.subarray(0, 4 * path.count), 4)
    const corners = [0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0]
    this.#geometry.setAttribute('position', new Float32BufferAttribute(corners, 3))
    this.#geometry.setIndex([0, 1, 2, 2, 1, 3])
    const uniforms = this.#uniforms
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      side: 2,
      uniforms,
    })
    this.mesh = new Mesh(this.#geometry, material)
    this.mesh.frustumCulled = false
  }

  /** How many mm a pixel is wide, a mm away. */
  set pixel(size: number) {
    this.#uniforms.pixel.value = size
  }

  /** False: what lies behind walls is left out, below the last layer. */
  set withHidden(isWhole: boolean) {
    this.#uniforms.withHidden.value = isWhole
  }

  get meshes(): readonly Mesh[] {
    return [this.mesh]
  }

  close(): void {
    this.#geometry.dispose()
    this.mesh.material.dispose()
  }

  /** Only so many of the moves that are shown, to see how long they take. */
  showFew(count: number): void {
    this.#geometry.instanceCount = Math.min(this.#path.count - this.#first, count)
    this.mesh.visible = count > 0
  }

  show(shown: Shown): void {
    this.#show(movesShown(this.#path, shown), shown)
  }

  #show([first, end]: readonly [number, number], shown: Shown): void {
    if (first !== this.#first) {
      this.#first = first
      const read = (name: string, from: InstancedInterleavedBuffer, size: number, at: number) =>
        this.#geometry.setAttribute(name, new InterleavedBufferAttribute(from, size, size * at))
      read('begin', this.#points, 3, first)
      read('end', this.#points, 3, first + 1)
      read('mark', this.#marks, 4, first)
    }
    this.#geometry.instanceCount = end - first
    this.mesh.visible = end > first
    const { colours, paint, span, withTravels, lastLayer } = this.#uniforms
    colours.value = coloursOf(shown.paint)
    paint.value = PAINTS.indexOf(shown.paint)
    span.value.set(...spanOf(this.#path, shown.paint))
    withTravels.value = shown.withTravels
    lastLayer.value = (this.#path.starts[shown.layers[1]] ?? 0) - first
  }
}

function colourVector(hex: string): Vector3 {
  const value = Number.parseInt(hex.slice(1), 16)
  return new Vector3((value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255)
}

/** The bed: its edge and its grid, and where its middle is. */
export function bedOf(area: string | null, { box }: Toolpath) {
  const corners = bedCorners(area, box)
  const { edge, grid } = bedLines(corners)
  const of = (points: Float32Array) => {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3))
    return new LineSegments(geometry, new LineBasicMaterial())
  }
  const middle = (all: number[]) => (Math.min(...all) + Math.max(...all)) / 2
  const [x, y] = [middle(corners.map((one) => one[0])), middle(corners.map((one) => one[1]))]
  const radius = Math.max(...corners.map((one) => Math.hypot(one[0] - x, one[1] - y)))
  return { edge: of(edge), grid: of(grid), x, y, radius }
}
export type Bed = ReturnType<typeof bedOf>

/** Where the nozzle stands while moves are gone through one by one: a cone with its tip there. */
export function nozzleMark() {
  const geometry = new ConeGeometry(0.7, 2, 16)
  geometry.rotateX(-Math.PI / 2)
  geometry.translate(0, 0, 1)
  return new Mesh(geometry, new MeshBasicMaterial({ transparent: true, opacity: 0.85 }))
}
