;; Inner loops of a search over vectors. `npm run kernel` compiles this file into `scan-kernel.ts`, which is what runs. A row is a vector
;; rounded to `$bytes` signed bytes, zero-padded to a multiple of 16, and its unit (the value of one step) in single precision. Four rows lie
;; together: 16 bytes of each in turn, then the next 16 of each, and behind all of them the four units.
(module
  ;; Shared, so that another thread can scan the same rows.
  (import "kernel" "memory" (memory 1 259 shared))

  ;; Writes the approximate dot products of a query with the `$count` rows from `$rows` on to `$out`, and up to three more. The query is in
  ;; whole numbers of two bytes with the unit `$unit`. Sums of whole numbers are exact in any order.
  (func (export "similarities")
    (param $query i32) (param $unit f32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $first v128) (local $second v128) (local $at i32) (local $end i32)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
    (block $done
      (loop $four
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $numbers
          (local.set $first (v128.load (local.get $at)))
          (local.set $second (v128.load offset=16 (local.get $at)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $first) (v128.load8x8_s (local.get $rows)))))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $second) (v128.load8x8_s offset=8 (local.get $rows)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $first) (v128.load8x8_s offset=16 (local.get $rows)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $second) (v128.load8x8_s offset=24 (local.get $rows)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $first) (v128.load8x8_s offset=32 (local.get $rows)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $second) (v128.load8x8_s offset=40 (local.get $rows)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $first) (v128.load8x8_s offset=48 (local.get $rows)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $second) (v128.load8x8_s offset=56 (local.get $rows)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
          (br_if $numbers (i32.lt_u (local.get $at) (local.get $end))))
        ;; The four numbers of each are added up: those of two in one register, then of all.
        (local.set $a
          (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
        (local.set $c
          (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
        (v128.store (local.get $out)
          (f32x4.mul
            (f32x4.mul (v128.load (local.get $rows)) (f32x4.splat (local.get $unit)))
            (f32x4.convert_i32x4_s
              (i32x4.add
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $count (i32.sub (local.get $count) (i32.const 4)))
        (br $four))))

  ;; Writes the greatest of each sixteen numbers between `$at` and `$end` to `$out`.
  (func (export "greatest") (param $at i32) (param $end i32) (param $out i32)
    (local $a v128)
    (block $done
      (loop $sixteen
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a
          (f32x4.pmax
            (f32x4.pmax (v128.load (local.get $at)) (v128.load offset=16 (local.get $at)))
            (f32x4.pmax (v128.load offset=32 (local.get $at)) (v128.load offset=48 (local.get $at)))))
        (f32.store (local.get $out)
          (f32.max
            (f32.max (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.max (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $sixteen))))

  ;; Rounds `$count` numbers in single precision, a multiple of 16, to as many signed bytes of the row whose first ones lie at `$row`, and
  ;; writes its unit to `$step`. Returns the sums of the squares of the rounding errors and of the numbers.
  (func (export "round") (param $vector i32) (param $count i32) (param $row i32) (param $step i32) (result f64 f64)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $numbers v128) (local $large v128)
    (local $unit f32) (local $units v128) (local $perUnit v128) (local $left v128) (local $all v128)
    (local.set $end (i32.add (local.get $vector) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $at (local.get $vector))
    (loop $four
      (local.set $a (f32x4.pmax (local.get $a) (f32x4.abs (v128.load (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $four (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $unit
      (f32.div
        (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
          (f32.max (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a))))
        (f32.const 127)))
    (f32.store (local.get $step) (local.get $unit))
    ;; If the unit underflows in single precision, all numbers become zeros.
    (if (f32.gt (local.get $unit) (f32.const 0))
      (then (local.set $perUnit (f64x2.splat (f64.div (f64.const 1) (f64.promote_f32 (local.get $unit)))))))
    (local.set $units (f64x2.splat (f64.promote_f32 (local.get $unit))))
    (local.set $large (v128.const f64x2 6755399441055744 6755399441055744))
    (local.set $at (local.get $vector))
    (loop $four
      (local.set $a (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $at))))
      (local.set $b (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $at))))
      (local.set $all (f64x2.add (local.get $all) (f64x2.add (f64x2.mul (local.get $a) (local.get $a)) (f64x2.mul (local.get $b) (local.get $b)))))
      ;; Beside a number of that size, whole numbers are all that fit: a sum with it is rounded to the nearest, and its low bytes are that one.
      (local.set $c (f64x2.sub (f64x2.add (f64x2.mul (local.get $a) (local.get $perUnit)) (local.get $large)) (local.get $large)))
      (local.set $d (f64x2.sub (f64x2.add (f64x2.mul (local.get $b) (local.get $perUnit)) (local.get $large)) (local.get $large)))
      ;; Rounding the unit to single precision may have made it too small for the greatest number.
      (local.set $c (f64x2.pmax (f64x2.pmin (local.get $c) (v128.const f64x2 127 127)) (v128.const f64x2 -127 -127)))
      (local.set $d (f64x2.pmax (f64x2.pmin (local.get $d) (v128.const f64x2 127 127)) (v128.const f64x2 -127 -127)))
      (local.set $a (f64x2.sub (local.get $a) (f64x2.mul (local.get $c) (local.get $units))))
      (local.set $b (f64x2.sub (local.get $b) (f64x2.mul (local.get $d) (local.get $units))))
      (local.set $left (f64x2.add (local.get $left) (f64x2.add (f64x2.mul (local.get $a) (local.get $a)) (f64x2.mul (local.get $b) (local.get $b)))))
      (local.set $numbers
        (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27
          (f64x2.add (local.get $c) (local.get $large))
          (f64x2.add (local.get $d) (local.get $large))))
      (local.set $numbers (i16x8.narrow_i32x4_s (local.get $numbers) (local.get $numbers)))
      (v128.store32_lane 0 (local.get $row) (i8x16.narrow_i16x8_s (local.get $numbers) (local.get $numbers)))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      ;; The next 16 lie behind those of the other three rows.
      (local.set $row
        (i32.add (local.get $row) (select (i32.const 0) (i32.const 48) (i32.and (local.get $row) (i32.const 15)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $four (i32.lt_u (local.get $at) (local.get $end))))
    (f64.add (f64x2.extract_lane 0 (local.get $left)) (f64x2.extract_lane 1 (local.get $left)))
    (f64.add (f64x2.extract_lane 0 (local.get $all)) (f64x2.extract_lane 1 (local.get $all)))))
