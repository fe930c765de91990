;; What a search over vectors spends its time in. `npm run kernel` writes it as `scan-kernel.ts`, which is what runs.
;; Rows lie one after another: a vector in whole numbers of one byte, `$bytes` of them, a multiple of 16, the last ones zero where a
;; dimension is no multiple; then 16 bytes, of which the first four are what one of its whole numbers stands for, in single precision.
(module
  (import "kernel" "memory" (memory 1 256))

  ;; About the dot products of a query with `$count` rows from `$rows` on, to `$out`. The query is in whole numbers of two bytes, each of
  ;; which stands for `$unit`. Sums of whole numbers are exact, whatever their order.
  (func (export "similarities")
    (param $query i32) (param $unit f32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $a v128) (local $b v128) (local $at i32) (local $end i32)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $numbers
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load8x8_s (local.get $rows)))))
          (local.set $b
            (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load8x8_s offset=8 (local.get $rows)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $numbers (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (f32.store (local.get $out)
          (f32.mul
            (f32.mul (f32.load (local.get $rows)) (local.get $unit))
            (f32.convert_i32_s
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
                (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row))))

  ;; The dot product of a query in double precision with a vector in single precision, both of so many numbers as lie before `$end`, where
  ;; the query ends: a multiple of four. Four sums, added up in the order of `dot`, so that both give the same number to the last bit.
  (func (export "product") (param $query i32) (param $vector i32) (param $end i32) (result f64)
    (local $numbers v128) (local $a v128) (local $b v128)
    (loop $four
      (local.set $numbers (v128.load (local.get $vector)))
      (local.set $a
        (f64x2.add (local.get $a) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $numbers)) (v128.load (local.get $query)))))
      (local.set $numbers
        (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $numbers) (local.get $numbers)))
      (local.set $b
        (f64x2.add (local.get $b) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $numbers)) (v128.load offset=16 (local.get $query)))))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
      (br_if $four (i32.lt_u (local.get $query) (local.get $end))))
    (f64.add
      (f64.add
        (f64.add (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a)))
        (f64x2.extract_lane 0 (local.get $b)))
      (f64x2.extract_lane 1 (local.get $b)))))
