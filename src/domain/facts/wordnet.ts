/**
 * English words that mean the same, by WordNet 3.1: made by `bench/quality/short-circuit/wordnet.ts`, not written by hand.
 *
 * WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Permission to use, copy, modify and distribute this software
 * and database and its documentation for any purpose and without fee or royalty is hereby granted, provided that this notice appears on
 * all copies. THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR
 * IMPLIED. The name of Princeton University may not be used in advertising or publicity pertaining to distribution of the database.
 * The whole licence: https://wordnet.princeton.edu/license-and-commercial-use
 */
export const WORDNET_GROUPS = `
accomplish fulfill; accordingly consequently; accumulate compile; achieve attain; achievement accomplishment; admit acknowledge
agree concur; ailment complaint; amazement astonishment; animal creature beast; announcement proclamation; answer reply
anyway anyhow; apparent evident plain; apparently seemingly; apply utilize; approve sanction; argument controversy
arise originate; arouse evoke elicit; assault assail; assume presume; attempt effort; author writer; awaken awake; away forth
baby babe; basement cellar; begin start commence; bellow bawl; bitterness resentment; brilliant superb; brow forehead
build construct; bundle packet; case instance; cease quit discontinue; central fundamental cardinal; certainly surely
choose select; christ jesus; city metropolis; cluster bunch clump; compel oblige; compute calculate; comrade companion
concept conception; concern pertain; confidence assurance; confirm affirm; considerably substantially; contain comprise
contend postulate; cooperate collaborate; cope grapple; couch sofa; country nation; crawl creep; creak screech; cross traverse
crouch stoop; curse swear; damned darned; damp moist; dealer trader; dear beloved; decrease diminish lessen; deduct subtract
deeply profoundly; defeat overcome; defy withstand; derive deduce; describe depict; deserve merit; determine ascertain
dictate prescribe; dirty soiled; disappear vanish; disaster tragedy; distinction differentiation; distinguish differentiate
doctor physician; doom destine; doubt uncertainty; duty responsibility obligation; earthquake quake; effect consequence
element component; encourage promote; enjoy savor bask; enterprise endeavor; error mistake fault
essentially basically fundamentally; evaluate assess; evidence grounds; exactly precisely; examination scrutiny; exclude omit
exclusive sole; exercise workout; experiment experimentation; extended prolonged lengthy; extreme utmost; fake phony; fate destiny
fierce furious; film movie; forbid prohibit; frighten scare; frightened scared; fumble grope; funny comic; fuss fret; gasp pant
glance glimpse; glint glitter; glue paste; greasy oily; group grouping; guess reckon; hall hallway; help assist; hesitate waver
hide conceal; honestly frankly; idea thought; ignore disregard; illuminate illumine; imitate simulate; inherent integral
injury harm; install instal; intake uptake; integrate incorporate; intent absorbed engrossed; interpret construe
interrupt disrupt; invent devise; irony satire; jerk yank; jump leap; kind sort; larger bigger; lawyer attorney; lean tilt
limitation restriction; live populate; lumber timber; lunge hurtle; madly frantically; majority bulk; mama mamma; maneuver steer
mention cite; moreover furthermore; motive motivation; muse ponder; mutter mumble; naked bare; necessarily inevitably
neighborhood locality; notion impression; observe notice; obviously evidently plainly; often frequently; opinion sentiment
opportunity chance; owner proprietor; part portion; participation involvement; philosophy doctrine; plane airplane; plod trudge
poetry verse; potential potentiality; preserve uphold; principal main chief; process procedure; product merchandise
prompt motivate; provide supply furnish; punishment penalty; purpose intention; rage fury; recommend advocate
recreation diversion; reflection contemplation; relatively comparatively; reliable dependable; religion faith; religious spiritual
remark comment; remarkable singular; remember recall; repair mend; repeat reiterate; require necessitate; respond react
rest remainder; restrict curtail; rush race; savage vicious; scheme strategy; scorn contempt disdain; scream yell; seize clutch
severely badly; shipment freight; shiver shudder; similarly likewise; snake serpent; softly quietly; soil dirt; source origin
specter ghost; speed velocity; stagger lurch; stare gaze; stone rock; store shop; story tale narrative; striking spectacular
student pupil; suggest propose; surplus excess; suspicion hunch; sweat perspiration; teach instruct; teacher instructor
telephone phone; tempt lure; tend incline; terrible dreadful frightening; terribly awfully; terror panic; theatre theater
theme topic; threat menace; threaten endanger; thwart frustrate; total entire; tremendous enormous; tune melody; twist writhe
understandable intelligible; undoubtedly doubtless; unite merge unify; vacation holiday; vast huge immense; veer swerve
victory triumph; viewpoint standpoint; wage salary; wander roam; whisky whiskey; wide broad; wonderful marvelous terrific
`
