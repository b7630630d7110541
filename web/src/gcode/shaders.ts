import { FEATURES, INSIDE, JUMP, TRAVEL } from '@vigil/contract/gcode/features.ts'
import { COLOURS } from './paint.ts'
import { SPEED_STEPS, WIDTH_STEPS } from './toolpath.ts'

/** A bit for each feature that walls hide. */
const HIDDEN = INSIDE.reduce((bits, feature) => bits | (1 << FEATURES.indexOf(feature)), 0)

/**
 * Each move is a strip that faces the eye, as wide as what is laid down and a pixel at least, and is lit as if it were round: four
 * corners a move, all moves in one call.
 */
export const vertexShader = `
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

export const fragmentShader = `
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
