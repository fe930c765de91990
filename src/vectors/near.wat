;; Inner loops of what follows a scan: which places it leaves, and their products. `npm run kernel` compiles this file into
;; `near-kernel.ts`, which is what runs.
(module
  (import "kernel" "memory" (memory 1 256))

  ;; Raises lanes to the greatest of the numbers between `$at` and `$end` that fall to each, round robin from the first lane on. Both counts
  ;; are multiples of four.
  (func (export "greatest") (param $at i32) (param $end i32) (param $lanes i32) (param $lanesEnd i32)
    (local $lane i32)
    (local.set $lane (local.get $lanes))
    (loop $four
      (v128.store (local.get $lane) (f32x4.pmax (v128.load (local.get $lane)) (v128.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $lane (i32.add (local.get $lane) (i32.const 16)))
      (local.set $lane (select (local.get $lanes) (local.get $lane) (i32.eq (local.get $lane) (local.get $lanesEnd))))
      (br_if $four (i32.lt_u (local.get $at) (local.get $end)))))

  ;; Writes the places of the numbers between `$at` and `$end` that are not below `$least` to `$out`, and returns where the list ends.
  ;; `$place` is the place of the first number. The count is a multiple of four.
  (func (export "reaching") (param $at i32) (param $end i32) (param $least f32) (param $place i32) (param $out i32) (result i32)
    (local $leasts v128) (local $found i32)
    (local.set $leasts (f32x4.splat (local.get $least)))
    (loop $four
      (local.set $found (i32x4.bitmask (v128.not (f32x4.lt (v128.load (local.get $at)) (local.get $leasts)))))
      (block $done
        (loop $one
          (br_if $done (i32.eqz (local.get $found)))
          (i32.store (local.get $out) (i32.add (local.get $place) (i32.ctz (local.get $found))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
          (br $one)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $place (i32.add (local.get $place) (i32.const 4)))
      (br_if $four (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $out))

  ;; Dot product of a query in double precision with a vector in single precision. `$end` is where the query ends; the length is a multiple
  ;; of four. Four partial sums, added in the order of `dot`, so that both give the same number to the last bit.
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
