/** Writes ONNX models. Field numbers and enumerations are those of onnx.proto3, operator set 17. */
import { bytesField, floatField, signedField, stringField, varintField } from './protobuf.js'

const FLOAT = 1
const INT64 = 7
const ATTRIBUTE_FLOAT = 1
const ATTRIBUTE_INT = 2
const ATTRIBUTE_INTS = 7
const IR_VERSION = 8
const OPERATOR_SET = 17

export type Attribute = Buffer

export interface OnnxGraph {
  /** Adds a constant tensor of 32-bit floats; returns its name. */
  floats(name: string, dims: readonly number[], valueAt: (index: number) => number): string
  /** Adds a constant vector of 64-bit integers; returns its name. */
  integers(name: string, values: readonly number[]): string
  /** Adds an operator; returns the name of its output. */
  node(operator: string, inputs: readonly string[], attributes?: readonly Attribute[], output?: string): string
  /** Returns the model file: inputs are int64 of [batch, seq], the output is float of [batch, seq, width]. */
  toBytes(inputs: readonly string[], output: string, width: number): Buffer
}

export function floatAttribute(name: string, value: number): Attribute {
  return Buffer.concat([stringField(1, name), floatField(2, value), varintField(20, ATTRIBUTE_FLOAT)])
}

export function integerAttribute(name: string, value: number): Attribute {
  return Buffer.concat([stringField(1, name), signedField(3, value), varintField(20, ATTRIBUTE_INT)])
}

export function integersAttribute(name: string, values: readonly number[]): Attribute {
  return Buffer.concat([stringField(1, name), ...values.map((value) => signedField(8, value)), varintField(20, ATTRIBUTE_INTS)])
}

export function createOnnxGraph(name: string): OnnxGraph {
  const constants: Buffer[] = []
  const nodes: Buffer[] = []

  function constant(tensor: string, dims: readonly number[], type: number, data: Float32Array | BigInt64Array): string {
    const shape = dims.map((dim) => varintField(1, dim))
    const content = bytesField(9, new Uint8Array(data.buffer))
    constants.push(Buffer.concat([...shape, varintField(2, type), stringField(8, tensor), content]))
    return tensor
  }

  return {
    floats(tensor, dims, valueAt) {
      const size = dims.reduce((product, dim) => product * dim, 1)
      return constant(
        tensor,
        dims,
        FLOAT,
        Float32Array.from({ length: size }, (_, index) => valueAt(index))
      )
    },
    integers: (tensor, values) => constant(tensor, [values.length], INT64, BigInt64Array.from(values.map(BigInt))),
    node(operator, inputs, attributes = [], output = `t${nodes.length}`) {
      const parts = [...inputs.map((input) => stringField(1, input)), stringField(2, output)]
      parts.push(stringField(3, `n${nodes.length}`), stringField(4, operator), ...attributes.map((attribute) => bytesField(5, attribute)))
      nodes.push(Buffer.concat(parts))
      return output
    },
    toBytes(inputs, output, width) {
      const graph = Buffer.concat([
        ...nodes.map((node) => bytesField(1, node)),
        stringField(2, name),
        ...constants.map((tensor) => bytesField(5, tensor)),
        ...inputs.map((input) => bytesField(11, valueInfo(input, INT64, ['batch', 'seq']))),
        bytesField(12, valueInfo(output, FLOAT, ['batch', 'seq', width]))
      ])
      const operators = Buffer.concat([stringField(1, ''), varintField(2, OPERATOR_SET)])
      return Buffer.concat([varintField(1, IR_VERSION), stringField(2, 'test'), bytesField(7, graph), bytesField(8, operators)])
    }
  }
}

function valueInfo(name: string, type: number, dims: readonly (string | number)[]): Buffer {
  const shape = Buffer.concat(dims.map((dim) => bytesField(1, typeof dim === 'string' ? stringField(2, dim) : varintField(1, dim))))
  const tensor = Buffer.concat([varintField(1, type), bytesField(2, shape)])
  return Buffer.concat([stringField(1, name), bytesField(2, bytesField(1, tensor))])
}
